import { brand } from './brand.ts';

/** A water lily over its reflection: the clinic's mark. */
export function LogoMark({ size = 36 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true" className="ui-logo-mark">
      <path className="ui-logo-leaf" d="M4 27.5c5.5-1.2 11 .8 14.5 5.2C13.400 34.800 6.800 33.200 4 27.500z" />
      <path className="ui-logo-leaf" d="M44 27.500c-5.500-1.200-11 .8-14.500 5.200 5.100 2.100 11.700.5 14.500-5.200z" />
      <path className="ui-logo-petal" d="M11.500 15c6.200 1.700 10.600 7.400 11.300 17-7.300-2.100-11.800-8.600-11.300-17z" />
      <path className="ui-logo-petal" d="M36.500 15c-6.200 1.700-10.600 7.400-11.300 17 7.300-2.100 11.800-8.600 11.300-17z" />
      <path className="ui-logo-heart" d="M24 7c5.400 5 7.200 14.600 0 25.500C16.800 21.600 18.600 12 24 7z" />
      <path className="ui-logo-wave" d="M10 39.500c4.700-2.400 9.300-2.400 14 0s9.300 2.400 14 0" fill="none" strokeWidth="2.600" strokeLinecap="round" />
    </svg>
  );
}

/** Mark and name. */
export function Logo({ size = 36 }: { readonly size?: number }) {
  const [first, ...others] = brand.brandName.split(' ');
  return (
    <span className="ui-logo">
      <LogoMark size={size} />
      <span><b>{first}</b> {others.join(' ')}</span>
    </span>
  );
}
