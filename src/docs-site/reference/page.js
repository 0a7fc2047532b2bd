/* Starts the reference. A separate file, because the policy of the page blocks inline scripts. */
const dark = matchMedia('(prefers-color-scheme: dark)');

// Redoc computes with its colours, so it cannot use the variables of colours.css. These are the same colours.
const darkColors = {
  primary: { main: '#84bdf7' },
  success: { main: '#7fd18f' },
  error: { main: '#ff9c94' },
  warning: { main: '#ffe08a', contrastText: '#3a2f0f' },
  text: { primary: '#e8ecf1', secondary: '#aeb8c4' },
  border: { dark: '#343c46', light: '#343c46' },
  gray: { 50: '#1e242b', 100: '#343c46' },
  responses: {
    success: { color: '#7fd18f', backgroundColor: '#17291c', tabTextColor: '#7fd18f' },
    error: { color: '#ff9c94', backgroundColor: '#33201f', tabTextColor: '#ff9c94' },
    redirect: { color: '#ffe08a', backgroundColor: '#3a2f0f', tabTextColor: '#ffe08a' },
    info: { color: '#84bdf7', backgroundColor: '#16283b', tabTextColor: '#84bdf7' },
  },
};
const fonts = {
  fontFamily: 'system-ui, sans-serif',
  headings: { fontFamily: 'system-ui, sans-serif' },
};

const lightTheme = {
  colors: { primary: { main: '#0b5cad' }, text: { primary: '#1a2027', secondary: '#4b5663' } },
  sidebar: { backgroundColor: '#f3f5f8', textColor: '#1a2027' },
  typography: {
    ...fonts,
    links: { color: '#0b5cad' },
    code: { fontFamily: 'ui-monospace, monospace', color: '#1a2027', backgroundColor: '#f3f5f8' },
  },
};
const darkTheme = {
  colors: darkColors,
  schema: { nestedBackground: '#1e242b', linesColor: '#7d8894', typeNameColor: '#aeb8c4', typeTitleColor: '#aeb8c4' },
  sidebar: { backgroundColor: '#1e242b', textColor: '#e8ecf1' },
  rightPanel: { backgroundColor: '#1e242b' },
  codeBlock: { backgroundColor: '#0e1216' },
  typography: {
    ...fonts,
    links: { color: '#84bdf7' },
    code: { fontFamily: 'ui-monospace, monospace', color: '#e8ecf1', backgroundColor: '#1e242b' },
  },
};

/** Accessibility that Redoc lacks: its small headings skip two levels, and wide samples cannot be focused. */
function makeAccessible() {
  for (const heading of document.querySelectorAll('#main h5')) heading.ariaLevel = '3';
  for (const sample of document.querySelectorAll('#main pre')) sample.tabIndex = 0;
}
// Redoc renders samples again when a tab is selected.
new MutationObserver(makeAccessible).observe(document.getElementById('main'), { childList: true, subtree: true });

// Redoc applies its theme only once. The address keeps the reader's position.
dark.addEventListener('change', () => {
  // During printing every page matches the light scheme.
  if (!matchMedia('print').matches) location.reload();
});

/** Sections that were renamed, by their previous ids: links to them are permanent. */
const renamedSections = {
  'section/Answers': 'section/Responses',
  'section/Lists': 'section/Pagination',
  'section/Trying-again': 'section/Requests-and-retries',
};

/** Replaces the id of a renamed section in the address; Redoc then follows the `hashchange` event. */
function followRenamed() {
  const id = location.hash.slice(1);
  if (Object.hasOwn(renamedSections, id)) location.replace(`#${renamedSections[id]}`);
}
// Before Redoc reads the address.
followRenamed();
addEventListener('hashchange', followRenamed);

Redoc.init(
  '/docs/openapi.json',
  {
    downloadUrls: [
      { title: 'OpenAPI 3.1', url: '/openapi.json' },
      { title: 'OpenAPI 3.0', url: '/openapi-3.0.json' },
    ],
    expandResponses: '200,201',
    hideHostname: true,
    jsonSampleExpandLevel: 3,
    pathInMiddlePanel: true,
    requiredPropsFirst: true,
    sortTagsAlphabetically: false,
    theme: dark.matches ? darkTheme : lightTheme,
  },
  document.getElementById('main'),
);
