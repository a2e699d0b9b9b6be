import { classNames } from './class-names.ts';

/** An e-mail address to write to; where a narrow column must break it, then before its @ rather than anywhere. */
export function EmailLink({ email, className }: { readonly email: string; readonly className?: string }) {
  const at = email.lastIndexOf('@');
  return (
    <a className={classNames('underline-offset-4 wrap-anywhere hover:underline', className)} href={`mailto:${email}`}>
      {email.slice(0, at)}<wbr />{email.slice(at)}
    </a>
  );
}
