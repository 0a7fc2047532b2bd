import ts from 'typescript';
import { htmlToText, isCode, isHtml, isPhrase } from './phrases.ts';
import { placeholder, type Kind, type Passage } from './passage.ts';

/** Properties and attributes whose strings are command lines, selectors or names. */
const machine = new Set(['examples', 'example', 'path', 'command', 'className', 'isolationLevel']);
const queries = /(^|\.)(raw|\w+Raw|query|sql)$/;

interface Part {
  text: string;
  offset: number;
}

const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
const isSum = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

/** The parts of a literal or of a sum of literals; what is computed is a placeholder. */
function partsOf(node: ts.Node, file: ts.SourceFile): Part[] {
  // Behind the quote: before it may stand a comment.
  const offset = node.getStart(file) + 1;
  if (isText(node)) return [{ text: node.text, offset }];
  if (ts.isTemplateExpression(node))
    return [
      { text: node.head.text, offset },
      ...node.templateSpans.flatMap(({ expression, literal }) => [
        { text: placeholder, offset: expression.getStart(file) },
        { text: literal.text, offset: literal.getStart(file) + 1 },
      ]),
    ];
  if (isSum(node)) return [...partsOf(node.left, file), ...partsOf(node.right, file)];
  return [{ text: placeholder, offset }];
}

/** Whether a program reads the literal, and no person. */
function isForPrograms(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isJsxAttribute(parent)) return machine.has(parent.name.getText());
  if (ts.isCallExpression(parent)) return queries.test(parent.expression.getText());
  const owner = ts.isArrayLiteralExpression(parent) ? parent.parent : parent;
  return ts.isPropertyAssignment(owner) && machine.has(owner.name.getText());
}

/** Every text of a source file that looks like prose: literals, sums of them, templates, HTML and JSX. */
export function stringPassages(file: string, source: string, kind: Kind): Passage[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const passages: Passage[] = [];
  const add = (parts: Part[]): void => {
    const raw = parts.map(({ text }) => text).join('');
    // Indentation at the front of a line would be code in Markdown: it moves to the end of the line before.
    const text = (isHtml(raw) ? htmlToText(raw) : raw).replaceAll(/(\n)([ \t]+)/g, '$2$1');
    if (!isPhrase(text) || isCode(raw)) return;
    let index = 0;
    const anchors = parts.map((part) => {
      const anchor = { index, offset: part.offset };
      index += part.text.length;
      return anchor;
    });
    passages.push({ file, kind, text, source, anchors });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) add([{ text: node.text, offset: node.pos }]);
    else if ((isText(node) || ts.isTemplateExpression(node) || isSum(node)) && !isForPrograms(node)) {
      const tag = ts.isTaggedTemplateExpression(node.parent) ? node.parent.tag.getText(tree) : '';
      if (!queries.test(tag)) add(partsOf(node, tree));
      if (isSum(node)) return computed(node);
    }
    ts.forEachChild(node, visit);
  };
  /** The literals of a sum were read as one text; what is inside its other operands is a text of its own. */
  const computed = (node: ts.Node): void => {
    if (isSum(node)) [node.left, node.right].forEach(computed);
    else if (ts.isTemplateExpression(node)) node.templateSpans.forEach(({ expression }) => visit(expression));
    else if (!isText(node)) visit(node);
  };
  visit(tree);
  return passages;
}
