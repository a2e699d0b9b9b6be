import { classNames } from './class-names.ts';

/** A mailto link; in a narrow column it breaks before the @ instead of anywhere. */
export function EmailLink({ email, className }: { readonly email: string; readonly className?: string }) {
  const at = email.lastIndexOf('@');
  return (
    <a className={classNames('underline-offset-4 wrap-anywhere hover:underline', className)} href={`mailto:${email}`}>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </a>
  );
}
