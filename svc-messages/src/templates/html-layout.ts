import type { Fact, MessageWords, Setting, WordedLink } from './message-words.ts';
import { html, type SafeHtml } from './safe-html.ts';

/*
 * Mail programs support little CSS: layout is by tables, each element has its own style, and dark-mode colours are in
 * the head, where programs that don't know them skip them.
 */
const font =
  // The last ones have Bangla letters; the others don't.
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,'Noto Sans Bengali','Nirmala UI','Kohinoor Bangla',sans-serif";

const darkMode = html`<style>
  :root {
    color-scheme: light dark;
    supported-color-schemes: light dark;
  }
  @media (prefers-color-scheme: dark) {
    .page {
      background: #0d1b1e !important;
    }
    .card {
      background: #15282c !important;
      border-color: #2c4449 !important;
    }
    .strong {
      color: #f1f7f6 !important;
    }
    .muted {
      color: #a9bfbf !important;
    }
    .facts {
      background: #1b3237 !important;
    }
    .link {
      color: #7fd8c8 !important;
    }
    .button {
      background: #7fd8c8 !important;
      color: #06231f !important;
    }
  }
</style>`;

/** A mail as an HTML page: one column that fits a narrow phone, light or dark like the reader's program. */
export function htmlOf(message: MessageWords, setting: Setting): string {
  const { subject, lead, facts = [], paragraphs = [], button, links: more = [] } = message;
  return html`<!doctype html>
    <html lang="${setting.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${subject}</title>
        ${darkMode}
      </head>
      <body class="page" style="margin:0;padding:0;background:#eef4f3">
        <table
          role="presentation"
          class="page"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          style="background:#eef4f3;${font}"
        >
          <tr>
            <td align="center" style="padding:24px 12px">
              <table
                role="presentation"
                width="100%"
                cellpadding="0"
                cellspacing="0"
                style="max-width:560px;text-align:left"
              >
                <tr>
                  <td class="strong" style="padding:0 8px 14px;font-size:17px;font-weight:700;color:#0b3b3c;${font}">
                    ${setting.clinic.name}
                  </td>
                </tr>
                <tr>
                  <td
                    class="card"
                    style="padding:26px 22px;background:#ffffff;border:1px solid #d6e4e2;border-radius:16px;overflow-wrap:anywhere;${font}"
                  >
                    <h1
                      class="strong"
                      style="margin:0 0 18px;font-size:21px;line-height:1.35;font-weight:700;color:#10292b"
                    >
                      ${lead}
                    </h1>
                    ${facts.length > 0 ? factTable(facts) : undefined} ${paragraphs.map((text) => paragraph(text))}
                    ${button && buttonOf(button)} ${more.map((link) => linkLine(link))}
                  </td>
                </tr>
                ${footer(setting)}
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html> `.text;
}

const paragraph = (text: string): SafeHtml =>
  html`<p class="strong" style="margin:0 0 14px;font-size:16px;line-height:1.55;color:#10292b">${text}</p> `;

const factTable = (facts: readonly Fact[]): SafeHtml =>
  html`<table
    role="presentation"
    class="facts"
    width="100%"
    cellpadding="0"
    cellspacing="0"
    style="margin:0 0 18px;background:#eef6f4;border-radius:12px"
  >
    <tr>
      <td style="padding:12px 16px 4px">${facts.map((fact) => factLine(fact))}</td>
    </tr>
  </table> `;

const factLine = ({ label, value }: Fact): SafeHtml =>
  html`<p style="margin:0 0 10px;font-size:16px;line-height:1.5">
    <span class="muted" style="display:block;font-size:14px;color:#4a6264">${label}</span
    ><span class="strong" style="font-weight:600;color:#10292b;white-space:pre-line">${value}</span>
  </p> `;

const buttonOf = ({ label, url }: WordedLink): SafeHtml =>
  html`<p style="margin:20px 0 14px">
    <a
      class="button"
      href="${url}"
      style="display:inline-block;padding:13px 22px;background:#0b5f5a;border-radius:12px;color:#ffffff;font-size:16px;font-weight:600;line-height:1.3;text-decoration:none"
      >${label}</a
    >
  </p> `;

const linkLine = ({ label, url }: WordedLink): SafeHtml =>
  html`<p style="margin:0 0 4px;font-size:16px;line-height:1.55">
    <a class="link" href="${url}" style="display:inline-block;padding:8px 0;color:#0b5f5a">${label}</a>
  </p> `;

function footer({ clinic: { name, address, phone, email }, links, words }: Setting): SafeHtml {
  const small = 'padding:7px 0;font-size:14px;line-height:1.5;color:#4a6264';
  return html`<tr>
    <td style="padding:18px 8px 0;${font}">
      <p class="muted" style="margin:0;${small}">
        ${name}, ${address}<br />
        <a class="link" href="tel:${phone.replaceAll(/\s/g, '')}" style="color:#0b5f5a">${phone}</a> ·
        <a class="link" href="mailto:${email}" style="color:#0b5f5a">${email}</a>
      </p>
      <p class="muted" style="margin:0;${small}">
        ${links.unsubscribe === undefined ? words.footer.alwaysSent : html`<a class="link" href="${links.unsubscribe}" style="color:#0b5f5a">${words.footer.stop}</a> ·`}
        <a class="link" href="${links.preferences}" style="color:#0b5f5a">${words.footer.preferences}</a>
      </p>
    </td>
  </tr>`;
}
