/** Every combination of one value from each list. */
export function combinations<T extends object>(lists: { readonly [Key in keyof T]: readonly T[Key][] }): T[] {
  return Object.entries<readonly unknown[]>(lists).reduce<object[]>(
    (found, [key, values]) => found.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))),
    [{}],
  ) as T[];
}

/** The words of the badges in an element, in order. */
export function badgesIn(element: Element): string[] {
  return [...element.querySelectorAll('.ui-badge')].map(({ textContent }) => textContent);
}
