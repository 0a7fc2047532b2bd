/* Starts the reference. In a file of its own, for the page allows no script within it. */
const dark = matchMedia('(prefers-color-scheme: dark)');

// Redoc computes with its colours, so it cannot take the variables of colours.css; these are the same.
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

/** What Redoc leaves out for who hears the page or has no mouse: its small headings skip two levels, its wide samples take no focus. */
function soundForEverybody() {
  for (const heading of document.querySelectorAll('#main h5')) heading.ariaLevel = '3';
  for (const sample of document.querySelectorAll('#main pre')) sample.tabIndex = 0;
}
// Each choice of a tab draws its samples anew.
new MutationObserver(soundForEverybody).observe(document.getElementById('main'), { childList: true, subtree: true });

// It draws once for good; what is read stays where it is, as the address names it.
dark.addEventListener('change', () => {
  // Paper is light to every page, for as long as it is printed.
  if (!matchMedia('print').matches) location.reload();
});

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
