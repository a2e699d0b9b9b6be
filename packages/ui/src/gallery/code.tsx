import { useState } from 'react';
import { Button } from '../button.tsx';
import { Fold } from './fold.tsx';

interface CodeProps {
  /** What the code is of: 'Button, Busy'. */
  readonly of: string;
  readonly text: string;
}

/** An example's code, to read and to copy. */
export function Code({ of, text }: CodeProps) {
  const [result, setResult] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setResult('Copied'),
      (error: unknown) => {
        console.warn('Could not copy', error);
        setResult('Not copied: select the code instead');
      },
    );
  };
  return (
    <Fold title="Code" of={of}>
      <pre dir="ltr">
        <code>{text}</code>
      </pre>
      <Button size="sm" variant="soft" aria-label={`Copy the code of ${of}`} onClick={copy}>
        Copy
      </Button>
      <output className="ui-hint">{result}</output>
    </Fold>
  );
}
