export function PhoneLink({ phone }: { readonly phone: string }) {
  return <a className="whitespace-nowrap underline-offset-4 hover:underline" href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>;
}
