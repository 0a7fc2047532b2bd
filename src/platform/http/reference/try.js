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
                onChange: ({ target }) => onChange({ name, schema, value: target.value.trim() }),
                ref: focusFirst,
                spellCheck: false,
                type: 'password',
              }),
        ),
  },
});

/** The examples of parameters are ids that nobody has, and keys that others used; the console would send them all unasked. */
function withoutExamples(contract) {
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  const own = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...Object.values(contract.components.parameters), ...own]) delete parameter.example;
  return contract;
}

async function start() {
  const answer = await fetch('/openapi.json', { credentials: 'omit' });
  if (!answer.ok) throw new Error(`/openapi.json answered ${answer.status}`);
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
    plugins: [parts],
    queryConfigEnabled: false,
    // The token that was typed in is all that a request carries: no cookie of this host.
    requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
    tryItOutEnabled: true,
    validatorUrl: null,
    withCredentials: false,
  });
}

start().catch((error) => {
  document.getElementById('failure').textContent = `The console did not start: ${error.message}`;
});
