import { useState } from 'react';

/**
 * A choice that is kept in the page's address, so that a link or a picture can ask for it.
 *
 * @param name - of the parameter
 * @param choices - the allowed values; the first one needs no parameter
 */
export function useChoice(name: string, choices: readonly string[]): [chosen: string, choose: (next: string) => void] {
  const [first = ''] = choices;
  const [chosen, setChosen] = useState(() => {
    const asked = new URLSearchParams(location.search).get(name) ?? first;
    return choices.includes(asked) ? asked : first;
  });
  function choose(next: string): void {
    const address = new URL(location.href);
    if (next === first) address.searchParams.delete(name);
    else address.searchParams.set(name, next);
    // The router's state of this entry stays.
    history.replaceState(history.state, '', address);
    setChosen(next);
  }
  return [chosen, choose];
}
