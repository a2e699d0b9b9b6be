import { classNames } from './class-names.ts';

/** A mailto link; in a narrow column it breaks before the @ only, and a longer part is cut off with its title. */
export function EmailLink({ email, className }: { readonly email: string; readonly className?: string }) {
  return (
    <a
      className={classNames('underline-offset-4 hover:underline', className)}
      href={`mailto:${email}`}
      aria-label={email}
    >
      <EmailText email={email} />
    </a>
  );
}

/** An email address that never breaks inside a word. */
export function EmailText({ email }: { readonly email: string }) {
  const at = email.lastIndexOf('@');
  return (
    <>
      <span className="ui-email" title={email}>
        {email.slice(0, at)}
      </span>
      <wbr />
      <span className="ui-email" title={email}>
        {email.slice(at)}
      </span>
    </>
  );
}
