import { useState } from 'react';
import { classNames } from './class-names.ts';

export interface AvatarProps {
  /** The person; their initials are the fallback. */
  readonly name: string;
  /** URL of the picture; if missing or broken: initials (round) or a silhouette (`portrait`). */
  readonly src?: string;
  /** Size of the round picture in CSS pixels; default 40. */
  readonly size?: number;
  /** Fills its container, which defines the shape; the alternative text then names the person. */
  readonly portrait?: boolean;
  readonly className?: string;
}

/** First letters of the first and last name, without titles. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !word.endsWith('.'));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? '');
  return letters.join('').toUpperCase();
}

export function Avatar({ name, src, size, portrait = false, className }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  const shape = classNames('ui-avatar', portrait && 'ui-portrait', className);
  if (src && src !== broken) {
    return (
      <img
        src={src}
        alt={portrait ? `Portrait of ${name}` : ''}
        width={portrait ? 400 : (size ?? 40)}
        height={portrait ? 400 : (size ?? 40)}
        loading="lazy"
        decoding="async"
        className={shape}
        onError={() => setBroken(src)}
      />
    );
  }
  if (!portrait) {
    return (
      <span
        className={shape}
        style={size ? { width: size, height: size, fontSize: size * 0.38 } : undefined}
        aria-hidden="true"
      >
        {initialsOf(name)}
      </span>
    );
  }
  return (
    <svg viewBox="0 0 400 400" className={shape} role="img" aria-label={`No picture of ${name} yet`}>
      <circle cx="200" cy="160" r="72" fill="currentColor" opacity=".28" />
      <path d="M56 400c6-92 62-142 144-142s138 50 144 142z" fill="currentColor" opacity=".28" />
    </svg>
  );
}
