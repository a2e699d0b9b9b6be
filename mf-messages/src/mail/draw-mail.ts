/** The name that the page's policy allows this remote (`trusted-types`). */
const policyName = 'mf-messages';

/** What the browser needs before it takes a text for markup (https://www.w3.org/TR/trusted-types/). */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { createHTML: (text: string) => string },
  ) => {
    readonly createHTML: (text: string) => string;
  };
}

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined;

/** Where a link of a mail may lead. */
const harmless = /^(?:https?:|mailto:|tel:)/i;

/**
 * Draws a mail into the page of a frame. Our policy allows no inline styles, as mails have them, and frames without an address
 * inherit it: so styles are set as properties, which it doesn't restrict.
 *
 * @param page - of a frame that allows no scripts
 */
export function drawMail(page: Document, html: string): void {
  const mail = parse(html);
  const styles = [...mail.querySelectorAll<HTMLTemplateElement>('template[data-sheet]')].map(
    ({ content }) => content.textContent,
  );
  mail.querySelectorAll('template, script, link, meta, base').forEach((element) => element.remove());
  const body = page.importNode(mail.body, true);
  for (const element of [body, ...body.querySelectorAll<HTMLElement>('*')]) {
    element.style.cssText = element.dataset['style'] ?? '';
    element.removeAttribute('data-style');
  }
  for (const link of body.querySelectorAll('a')) {
    if (harmless.test(link.href)) Object.assign(link, { target: '_blank', rel: 'noopener noreferrer' });
    else link.removeAttribute('href');
  }
  page.documentElement.lang = mail.documentElement.lang || 'en';
  page.title = mail.title;
  page.body.replaceWith(body);
  const Sheet = page.defaultView && Reflect.get(page.defaultView, 'CSSStyleSheet');
  if (typeof Sheet !== 'function' || !('adoptedStyleSheets' in page)) return;
  page.adoptedStyleSheets = styles.map((text) => {
    const sheet = new (Sheet as typeof CSSStyleSheet)();
    sheet.replaceSync(text);
    return sheet;
  });
}

/**
 * Parses a mail without its inline styles, which are in `data-style` instead, and its style sheets, which are in templates: the
 * browser would report each of them.
 */
function parse(html: string): Document {
  const text = html
    .replaceAll(/\sstyle=(?=["'])/g, ' data-style=')
    .replaceAll(/<style(?=[\s>])/gi, '<template data-sheet')
    .replaceAll(/<\/style>/gi, '</template>');
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy(policyName, { createHTML: (markup) => markup });
  return new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, 'text/html');
}
