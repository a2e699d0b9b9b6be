const look = 'underline-offset-4 hover:underline';

/** An e-mail address that breaks before its @ rather than anywhere. */
export function EmailLink({ email }: { readonly email: string }) {
  const at = email.lastIndexOf('@');
  return <a className={`font-medium ${look}`} href={`mailto:${email}`}>{email.slice(0, at)}<wbr />{email.slice(at)}</a>;
}

export function PhoneLink({ phone }: { readonly phone: string }) {
  return <a className={`whitespace-nowrap ${look}`} href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>;
}
