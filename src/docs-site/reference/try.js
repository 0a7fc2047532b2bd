/* Starts the console. A separate file, because the policy of the page blocks inline scripts. */
const dark = matchMedia('(prefers-color-scheme: dark)');
// The class for the dark colours of Swagger UI.
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);

document.getElementById('origin').textContent = location.origin;

// With Swagger UI the link alone does not move the focus. The address keeps the operation that it names.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main').focus();
});

/** Focuses the first field of a dialog that opens. */
function focusFirst(field) {
  const dialog = field?.closest('[role="dialog"]');
  if (dialog && !dialog.contains(document.activeElement)) field.focus();
}

/**
 * Lengths of a response, in characters. From the first on it is shown without colours: each word would be an element of
 * the page, and 1 MB would take half a minute. Beyond the second it is shown only in the file of "Download".
 */
const plainLength = 50_000;
const shownLength = 1_000_000;

/** A response that is too long for colours. */
const plainText = (h, text) => {
  const left = text.length - shownLength;
  const note = left > 0 ? `\n… ${left.toLocaleString('en')} more characters: select Download to see all` : '';
  return h('pre', { className: 'microlight', tabIndex: 0 }, text.slice(0, shownLength), note);
};

/**
 * The parts of Swagger UI that are shown, with the accessible names that some of them lack. The introduction of the
 * document is left out: it is in the reference.
 */
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
    // Every scheme of the document is a bearer token. The fields of Swagger UI share one id and show their input.
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

/** Logout removes from the page all responses that a token received, and the command lines that contain it. */
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

/** The console would send the example of each parameter by default: IDs that do not exist, and keys in use. */
function withoutExamples(contract) {
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  const own = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...Object.values(contract.components.parameters), ...own]) delete parameter.example;
  return contract;
}

async function start() {
  // OpenAPI 3.0: with 3.1 Swagger UI resolves the whole document whenever an operation is opened, which takes ten times
  // as long.
  const response = await fetch('/openapi-3.0.json', { credentials: 'omit' });
  if (!response.ok) throw new Error(`/openapi-3.0.json responded with status ${response.status}`);
  const contract = withoutExamples(await response.json());
  SwaggerUIBundle({
    dom_id: '#console',
    // The document may name a public address. Requests go to the service that served the page; the policy blocks others.
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
        // The entered token is the only credential of a request: no cookies of this host.
        credentials: 'omit',
        // With `-X HEAD` alone curl waits for a body that never arrives.
        curlOptions: request.method === 'HEAD' ? ['--head'] : [],
      }),
    tryItOutEnabled: true,
    validatorUrl: null,
    withCredentials: false,
  });
}

start().catch((error) => {
  document.getElementById('failure').textContent = `The console did not start: ${error.message}. Reload the page.`;
});
