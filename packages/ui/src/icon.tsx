import { iconShapes } from './icon-shapes.ts';

export type IconName = keyof typeof iconShapes;

export const iconNames = Object.keys(iconShapes) as IconName[];

export interface IconProps {
  /** One of `iconNames`; a name that the set doesn't know draws nothing, so that a menu entry of a newer remote can't break the shell. */
  readonly name: IconName | (string & {});
  /** Edge length in CSS pixels. */
  readonly size?: number;
  /** What the icon says to those who don't see it; without one it is decoration. */
  readonly label?: string;
  readonly className?: string;
}

export function Icon({ name, size = 20, label, className }: IconProps) {
  if (!Object.hasOwn(iconShapes, name)) return null;
  return (
    <svg
      width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={1.75} strokeLinecap="round" strokeLinejoin="round"
      className={className} role={label ? 'img' : undefined} aria-label={label} aria-hidden={label ? undefined : true}
    >
      <path d={iconShapes[name as IconName]} />
    </svg>
  );
}
