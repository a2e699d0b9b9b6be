import { Button, TextField } from '@clinic/ui';
import { useState } from 'react';

/** Adds a time of day; Enter adds it too instead of submitting the surrounding form. */
export function AddTime({ onAdd }: { readonly onAdd: (time: string) => void }) {
  const [time, setTime] = useState('');

  function add(): void {
    if (time === '') return;
    onAdd(time);
    setTime('');
  }

  return (
    <div className="flex items-end gap-2">
      <TextField
        type="time"
        label="Another time"
        value={time}
        onChange={(event) => setTime(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button variant="secondary" icon="plus" onClick={add}>
        Add
      </Button>
    </div>
  );
}
