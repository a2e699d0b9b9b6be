import type { ClinicIdentity, MessageLinks, MessageWords, WordedLink } from './message-words.ts';

const linkOf = ({ label, url }: WordedLink): string => `${label}:\n${url}`;

/** The twin of the HTML for readers of plain text: the same words in the same order. */
export function textOf(words: MessageWords, clinic: ClinicIdentity, links: MessageLinks): string {
  const { lead, facts = [], paragraphs = [], button, links: more = [] } = words;
  const factLines = facts.map(({ label, value }) =>
    value.includes('\n') ? `${label}:\n${value.replaceAll(/^/gm, '  ')}` : `${label}: ${value}`,
  );
  const blocks = [
    lead,
    ...(factLines.length > 0 ? [factLines.join('\n')] : []),
    ...paragraphs,
    ...[...(button ? [button] : []), ...more].map(linkOf),
    `--\n${clinic.name}, ${clinic.address}\n${clinic.phone} · ${clinic.email}`,
    links.unsubscribe === undefined
      ? 'We always send emails like this one, because they concern your account.'
      : linkOf({ label: 'Stop emails like this one', url: links.unsubscribe }),
    linkOf({ label: 'Choose which emails you get', url: links.preferences }),
  ];
  return `${blocks.join('\n\n')}\n`;
}
