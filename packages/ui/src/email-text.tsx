import { Fragment } from 'react';

/** An email address in a sentence: it breaks between its words only. */
export function EmailText({ email }: { readonly email: string }) {
  return (
    <span className="ui-email-text" dir="ltr" title={email}>
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
