// Compiled components call this during development. React's own version only fits React's development build, which a
// shell elsewhere doesn't have.
import { Fragment, jsx, jsxs } from 'react/jsx-runtime';
import type { ElementType, Key } from 'react';

export { Fragment };

/** @param isStatic - whether the children are a fixed list, which needs no keys */
export function jsxDEV(type: ElementType, props: unknown, key: Key | undefined, isStatic: boolean) {
  return (isStatic ? jsxs : jsx)(type, props, key);
}
