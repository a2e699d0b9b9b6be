import { asciiDigits } from '@clinic/contracts/digits';

/** A number to call; deleted customers have none. */
export function PhoneLink({ phone }: { readonly phone: string }) {
  if (phone === '') return '–';
  return (
    <a
      className="whitespace-nowrap underline-offset-4 hover:underline"
      href={`tel:${asciiDigits(phone).replace(/[^\d+]/g, '')}`}
    >
      {phone}
    </a>
  );
}
