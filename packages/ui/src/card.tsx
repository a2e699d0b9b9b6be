import type { ComponentPropsWithRef, ElementType } from 'react';
import { classNames } from './class-names.ts';

export interface CardProps extends ComponentPropsWithRef<'div'> {
  /** The element: `li`, `article`, `section`, … */
  readonly as?: ElementType;
  /** Rises a little under the pointer, for cards that are links. */
  readonly lively?: boolean;
}

/** A surface with hairline border, soft shadow and padding. */
export function Card({ as: Element = 'div', lively, className, ...rest }: CardProps) {
  return <Element {...rest} className={classNames('ui-card', lively && 'ui-card-lively', className)} />;
}
