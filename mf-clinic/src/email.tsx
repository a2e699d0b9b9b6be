/** An e-mail address to write to; where it must be broken, then before the @. */
export function Email({ address, className = '' }: { readonly address: string; readonly className?: string }) {
  const at = address.lastIndexOf('@');
  return <a className={`break-words hover:underline ${className}`} href={`mailto:${address}`}>{address.slice(0, at)}<wbr />{address.slice(at)}</a>;
}
