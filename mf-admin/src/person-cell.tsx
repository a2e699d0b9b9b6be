import { asciiDigits } from '@clinic/contracts/digits';
import { Avatar, EmailLink } from '@clinic/ui';
import type { ReactNode } from 'react';

export interface PersonCellProps {
  readonly name: string;
  readonly email: string;
  /** Portrait; by default the initials. */
  readonly image?: string | undefined;
  /** Badges, below. */
  readonly children?: ReactNode;
}

/** A phone number that can be pressed to call it. */
export const PhoneLink = ({ phone }: { readonly phone: string }) => (
  <a className="link link-hover whitespace-nowrap" href={`tel:${asciiDigits(phone).replaceAll(/[^+\d]/g, '')}`}>
    {phone}
  </a>
);

/** A person in a list: portrait, name and email in one cell, so that tables have room for the rest. */
export function PersonCell({ name, email, image, children }: PersonCellProps) {
  return (
    <span className="flex items-center gap-3" data-portrait="">
      <Avatar name={name} src={image} size={40} />
      <span className="min-w-0">
        <span className="block max-w-60 wrap-break-word">{name}</span>
        <EmailLink email={email} className="text-sm font-normal text-muted" />
        {children}
      </span>
    </span>
  );
}
