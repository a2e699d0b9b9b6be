import { classNames } from './class-names.ts';

/** A mailto link; in a narrow column it breaks before the @ only, and a longer part is cut off with its title. */
export function EmailLink({ email, className }: { readonly email: string; readonly className?: string }) {
  const at = email.lastIndexOf('@');
  return (
    <a
      className={classNames('ui-email-link', className)}
      href={`mailto:${email}`}
      title={email}
      // Otherwise some browsers would name it with a space before the @.
      aria-label={email}
    >
      <span className="ui-email">{email.slice(0, at)}</span>
      <span className="ui-email">{email.slice(at)}</span>
    </a>
  );
}
