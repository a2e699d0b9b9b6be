import { brand } from './brand.ts';

/** A water lily over its reflection: the clinic's mark. */
export function LogoMark({ size = 36 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 48 48" aria-hidden="true" className="ui-logo-mark">
      <path className="ui-logo-leaf" d="M4 27.5c5.5-1.2 11 .8 14.5 5.2C13.4 34.8 6.8 33.2 4 27.5z" />
      <path className="ui-logo-leaf" d="M44 27.5c-5.5-1.2-11 .8-14.5 5.2 5.1 2.1 11.7.5 14.5-5.2z" />
      <path className="ui-logo-petal" d="M11.5 15c6.2 1.7 10.6 7.4 11.3 17-7.3-2.1-11.8-8.6-11.3-17z" />
      <path className="ui-logo-petal" d="M36.5 15c-6.2 1.7-10.6 7.4-11.3 17 7.3-2.1 11.8-8.6 11.3-17z" />
      <path className="ui-logo-heart" d="M24 7c5.4 5 7.2 14.6 0 25.5C16.8 21.6 18.6 12 24 7z" />
      <path
        className="ui-logo-wave"
        d="M10 39.5c4.7-2.4 9.3-2.4 14 0s9.3 2.4 14 0"
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Mark and name. */
export function Logo({ size = 36 }: { readonly size?: number }) {
  const [first, ...others] = brand.brandName.split(' ');
  return (
    <span className="ui-logo">
      <LogoMark size={size} />
      <span>
        <b>{first}</b> {others.join(' ')}
      </span>
    </span>
  );
}
