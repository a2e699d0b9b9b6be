import { useSyncExternalStore } from 'react';
import { iconShapes } from './icon-shapes.ts';
import type { laterIconShapes } from './later-icon-shapes.ts';

export type IconName = keyof typeof iconShapes | keyof typeof laterIconShapes;

/** Those that are at hand. */
export const iconNames = Object.keys(iconShapes) as IconName[];

export interface IconProps {
  /** An unknown name draws nothing, so that a newer remote's menu entry can't break the shell. */
  readonly name: IconName | (string & {});
  /** Size in CSS pixels. */
  readonly size?: number;
  /** Text alternative; without one the icon is decorative. */
  readonly label?: string;
  readonly className?: string;
}

let shapes: Readonly<Record<string, string>> = iconShapes;
let complete = false;
let loading: Promise<void> | undefined;
const drawn = new Set<() => void>();

/**
 * Loads the icons that no first page of scripts shows at once: they are in a file of their own. A page that arrived as HTML
 * shows them from the start.
 */
export function loadLaterIcons(): Promise<void> {
  return (loading ??= import(/* webpackChunkName: "later-icons" */ './later-icon-shapes.ts').then(
    ({ laterIconShapes: more }) => {
      shapes = { ...shapes, ...more };
      complete = true;
      for (const draw of drawn) draw();
    },
    // The next icon tries again: until then its place stays empty.
    () => void (loading = undefined),
  ));
}

function subscribe(draw: () => void): () => void {
  drawn.add(draw);
  return () => void drawn.delete(draw);
}

export function Icon({ name, size = 20, label, className }: IconProps) {
  const drawing = useSyncExternalStore(subscribe, () => shapes);
  const shape = Object.hasOwn(drawing, name) ? drawing[name] : undefined;
  if (shape === undefined) {
    if (complete) return null;
    void loadLaterIcons();
  }
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
      <path d={shape} />
    </svg>
  );
}
