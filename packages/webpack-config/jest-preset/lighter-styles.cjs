const path = require('node:path');

/**
 * Queries ask of each element whether it is shown, and each click of all elements around it. For an answer jsdom matches 120
 * rules of its style sheet and resolves nine colours through all ancestors, a tenth of the time of all tests.
 * What doesn't decide whether an element is shown, or can be clicked, is left out; how a page looks is tested in browsers.
 */
exports.lightenStyles = () => {
  const jsdom = path.dirname(require.resolve('jsdom', { paths: [require.resolve('jest-environment-jsdom')] }));
  // In this order: what parses the sheet takes it when it is loaded.
  const sheet = path.join(jsdom, 'jsdom/browser/default-stylesheet.js');
  const css = require(sheet);
  require.cache[sheet].exports = onlyWhatShows(css);
  const rules = require(path.join(jsdom, 'jsdom/living/helpers/style-rules.js'));
  for (const name of Object.keys(rules.propertiesWithResolvedValueImplemented))
    if (name.includes('color')) delete rules.propertiesWithResolvedValueImplemented[name];
};

/** The rules of a style sheet that have one of these properties, with nothing else. */
const onlyWhatShows = (css) =>
  css.replaceAll(/([^{};]+)\{([^{}]*)\}/g, (_rule, selector, body) => {
    const kept = body.match(/(?<![\w-])(?:display|visibility|pointer-events)\s*:[^;]+/g);
    return kept ? `${selector}{${kept.join(';')}}` : '';
  });
