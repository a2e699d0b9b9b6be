import type { MessageWords, Setting, WordedLink } from './message-words.ts';

const linkOf = ({ label, url }: WordedLink): string => `${label}:\n${url}`;

/** A mail as plain text: the same words in the same order as the HTML. */
export function textOf(message: MessageWords, { clinic, links, words: { footer } }: Setting): string {
  const { lead, facts = [], paragraphs = [], button, links: more = [] } = message;
  const factLines = facts.map(({ label, value }) =>
    value.includes('\n') ? `${label}:\n${value.replaceAll(/^/gm, '  ')}` : `${label}: ${value}`,
  );
  const blocks = [
    lead,
    ...(factLines.length > 0 ? [factLines.join('\n')] : []),
    ...paragraphs,
    ...[...(button ? [button] : []), ...more].map(linkOf),
    `--\n${clinic.name}, ${clinic.address}\n${clinic.phone} · ${clinic.email}`,
    links.unsubscribe === undefined ? footer.alwaysSent : linkOf({ label: footer.stop, url: links.unsubscribe }),
    linkOf({ label: footer.preferences, url: links.preferences }),
  ];
  return `${blocks.join('\n\n')}\n`;
}
