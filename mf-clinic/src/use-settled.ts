import { useEffect, useState } from 'react';

/** Milliseconds without a change. */
const pause = 200;

/** A value once it has stayed the same for a moment: what the service is asked about isn't asked at each key. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
