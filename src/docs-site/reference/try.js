/* Starts the console. In a file of its own, for the page allows no script within it. */
const dark = matchMedia('(prefers-color-scheme: dark)');
// The name that Swagger UI gives its dark colours.
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);

document.getElementById('origin').textContent = location.origin;

// Beside Swagger UI the link alone does not move the focus; and the address keeps the operation that it names.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main').focus();
});

/** The first field of a dialog has the focus when it opens. */
function focusFirst(field) {
  const dialog = field?.closest('[role="dialog"]');
  if (dialog && !dialog.contains(document.activeElement)) field.focus();
}

/**
 * In characters. From the first length on an answer is shown without colours, for each of its words would be an element of the page, and a megabyte
 * takes half a minute. What goes beyond the second is in the file that "Download" gives.
 */
const plainLength = 50_000;
const shownLength = 1_000_000;

/** An answer that is too long for colours. */
const plainText = (h, text) => {
  const left = text.length - shownLength;
  const note = left > 0 ? `\n… ${left.toLocaleString('en')} characters more: they are in the download` : '';
  return h('pre', { className: 'microlight', tabIndex: 0 }, text.slice(0, shownLength), note);
};

/** What of Swagger UI is shown, and its parts that lack a name for those who do not see them. What the document says of itself stands in the reference. */
const parts = ({ React: { createElement: h, Fragment } }) => ({
  components: {
    Console: ({ getComponent }) =>
      h(
        'div',
        { className: 'swagger-ui' },
        h(getComponent('SvgAssets')),
        h(getComponent('errors', true)),
        h('div', { className: 'bar' }, h('h2', null, 'Operations'), h(getComponent('AuthorizeBtnContainer', true))),
        h(getComponent('FilterContainer', true)),
        h('div', { className: 'wrapper' }, h(getComponent('operations', true))),
      ),
  },
  wrapComponents: {
    SyntaxHighlighter: (Highlighter) => (props) =>
      props.children?.length > plainLength ? plainText(h, props.children) : h(Highlighter, props),
    authorizationPopup: (Popup) => (props) =>
      h('div', { role: 'dialog', 'aria-modal': true, 'aria-label': 'Tokens' }, h(Popup, props)),
    CloseIcon: (Icon) => (props) =>
      h(Fragment, null, h(Icon, props), h('span', { className: 'unseen' }, 'Close the dialog')),
    // Every scheme of the document is a bearer token. The fields of Swagger UI share one id and show what is typed.
    HttpAuth:
      () =>
      ({ name, schema, authorized, getComponent, onChange }) =>
        h(
          'div',
          null,
          h('h4', null, name),
          h(getComponent('Markdown', true), { source: schema.get('description') }),
          authorized.has(name)
            ? h('p', null, 'In use.')
            : h('input', {
                'aria-label': name,
                autoComplete: 'off',
                onChange: ({ target }) =>
                  onChange({ name, schema, value: target.value.trim().replace(/^bearer\s+/i, '') }),
                ref: focusFirst,
                spellCheck: false,
                type: 'password',
              }),
        ),
  },
});

/** Who logs out leaves nothing on the screen that a token got, nor the command lines that hold it. */
const leaving = {
  statePlugins: {
    auth: {
      wrapActions: {
        logout:
          (logout, { specActions, specSelectors }) =>
          (schemes) => {
            for (const operation of specSelectors.operations()) {
              const at = [operation.get('path'), operation.get('method')];
              if (!specSelectors.requestFor(...at)) continue;
              specActions.clearResponse(...at);
              specActions.clearRequest(...at);
            }
            return logout(schemes);
          },
      },
    },
  },
};

/** The examples of parameters are ids that nobody has, and keys that others used; the console would send them all unasked. */
function withoutExamples(contract) {
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  const own = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...Object.values(contract.components.parameters), ...own]) delete parameter.example;
  return contract;
}

async function start() {
  // The one for 3.0: of 3.1 Swagger UI resolves the whole document whenever an operation is opened, which takes ten times as long.
  const answer = await fetch('/openapi-3.0.json', { credentials: 'omit' });
  if (!answer.ok) throw new Error(`/openapi-3.0.json answered ${answer.status}`);
  const contract = withoutExamples(await answer.json());
  SwaggerUIBundle({
    dom_id: '#console',
    // The document may name a public address; what is tried here is the service that served the page, and its policy allows no other.
    spec: { ...contract, servers: [{ url: location.origin }] },
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    docExpansion: 'none',
    filter: true,
    layout: 'Console',
    persistAuthorization: false,
    plugins: [parts, leaving],
    queryConfigEnabled: false,
    requestInterceptor: (request) =>
      Object.assign(request, {
        // The token that was typed in is all that a request carries: no cookie of this host.
        credentials: 'omit',
        // Of `-X HEAD` alone curl waits for a body that never comes.
        curlOptions: request.method === 'HEAD' ? ['--head'] : [],
      }),
    tryItOutEnabled: true,
    validatorUrl: null,
    withCredentials: false,
  });
}

start().catch((error) => {
  document.getElementById('failure').textContent = `The console did not start: ${error.message}`;
});
