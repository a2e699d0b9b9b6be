import { Fragment } from 'react';
import { classNames } from './class-names.ts';

/** A mailto link; in a narrow column it breaks before the @ only, and a longer part is cut off with its title. */
export function EmailLink({ email, className }: { readonly email: string; readonly className?: string }) {
  const at = email.lastIndexOf('@');
  return (
    <a
      className={classNames('underline-offset-4 hover:underline', className)}
      href={`mailto:${email}`}
      title={email}
      // Otherwise some browsers would name it with a space before the @.
      aria-label={email}
    >
      <span className="ui-email">{email.slice(0, at)}</span>
      <wbr />
      <span className="ui-email">{email.slice(at)}</span>
    </a>
  );
}

/** An email address in a sentence: it breaks between its words only. */
export function EmailText({ email }: { readonly email: string }) {
  return (
    <span className="ui-email-text" title={email}>
      {email.split(/(?=[@.])/).map((part, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- the parts of an address have no other identity
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
