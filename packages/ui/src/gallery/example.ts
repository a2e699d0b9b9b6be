import { useState, type ComponentType, type ReactNode } from 'react';

/** Components in their states, as a module of `examples` exports them. */
export type Examples = Readonly<Record<string, Readonly<Record<string, ComponentType>>>>;

/** Text that is longer than a layout expects. */
export const longText =
  'Department of Paediatric Gastroenterology, Hepatology and Long-Term Rehabilitation, in the building by the river';

/** A word that is wider than a phone's text; German has such words. */
export const longWord = 'Krankenversicherungskartenlesegerät';

/** For callbacks that have nothing to do here. */
export const nothing = (): void => undefined;

/** An example that keeps its value, as a page would. */
export const held = <Value>(
  initial: Value,
  show: (value: Value, setValue: (value: Value) => void) => ReactNode,
): ComponentType =>
  function Held() {
    const [value, setValue] = useState(initial);
    return show(value, setValue);
  };
