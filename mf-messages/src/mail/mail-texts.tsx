import type { FullMail } from '../calls.ts';
import { languageOfMail } from './language-of-mail.ts';
import { MailFrame } from './mail-frame.tsx';

/** A mail in both its forms, side by side where there is room. */
export function MailTexts({ subject, text, html }: Pick<FullMail, 'subject' | 'text' | 'html'>) {
  return (
    <div className="grid min-w-0 gap-6 xl:grid-cols-2">
      {html !== undefined && (
        <figure className="min-w-0">
          <figcaption className="mb-2 text-sm font-semibold">As most mail programs show it</figcaption>
          <MailFrame title={`${subject}, as HTML`} html={html} />
        </figure>
      )}
      <figure className="min-w-0">
        <figcaption className="mb-2 text-sm font-semibold">As plain text</figcaption>
        <p
          lang={languageOfMail(html)}
          className="rounded-card border border-line bg-base-200 p-4 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
        >
          <LinkedText text={text} />
        </p>
      </figure>
    </div>
  );
}

/** A text whose addresses are links; they open in a tab of their own, as in a mail program. */
function LinkedText({ text }: { readonly text: string }) {
  // Every second part is an address.
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, place) =>
    place % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other identity
      <a key={place} href={part} target="_blank" rel="noopener noreferrer" className="text-primary underline">
        {part}
      </a>
    ) : (
      part
    ),
  );
}
