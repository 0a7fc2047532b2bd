/* Starts the reference. In a file of its own, for the page allows no script within it. */
Redoc.init(
  '/openapi.json',
  {
    expandResponses: '200,201',
    hideHostname: true,
    jsonSampleExpandLevel: 3,
    pathInMiddlePanel: true,
    requiredPropsFirst: true,
    sortTagsAlphabetically: false,
    theme: {
      typography: {
        fontFamily: 'system-ui, sans-serif',
        headings: { fontFamily: 'system-ui, sans-serif' },
        code: { fontFamily: 'ui-monospace, monospace' },
      },
    },
  },
  document.getElementById('reference'),
);
