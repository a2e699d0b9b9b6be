import { iconShapes } from './icon-shapes.ts';

export type IconName = keyof typeof iconShapes;

export const iconNames = Object.keys(iconShapes) as IconName[];

export interface IconProps {
  /** One of `iconNames`; an unknown name draws nothing, so that a newer remote's menu entry can't break the shell. */
  readonly name: IconName | (string & {});
  /** Size in CSS pixels. */
  readonly size?: number;
  /** Text alternative; without one the icon is decorative. */
  readonly label?: string;
  readonly className?: string;
}

export function Icon({ name, size = 20, label, className }: IconProps) {
  if (!Object.hasOwn(iconShapes, name)) return null;
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d={iconShapes[name as IconName]} />
    </svg>
  );
}
