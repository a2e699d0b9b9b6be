import type { ReactNode } from 'react';
import { Button, Dialog, NumberField } from '../../index.ts';
import type { Examples } from '../example.ts';
import { held, longText } from '../example.ts';

/** A button that opens what `show` draws. */
const openedBy = (label: string, show: (open: boolean, close: () => void) => ReactNode) =>
  held(false, (open, setOpen) => (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {show(open, () => setOpen(false))}
    </>
  ));

/** What opens over the page. */
export const dialogs = {
  Dialog: {
    Default: openedBy('Restock', (open, close) => (
      <Dialog open={open} title="Restock medicine" onClose={close} actions={<Button onClick={close}>Save</Button>}>
        <NumberField label="Units to add" min={1} defaultValue={10} />
      </Dialog>
    )),
    'Wide, with long text': openedBy('History', (open, close) => (
      <Dialog wide open={open} title={`${longText} 1.1.0+0123456789abcdef0123456789abcdef`} onClose={close}>
        <p>{`${longText}. `.repeat(40)}</p>
      </Dialog>
    )),
  },
} satisfies Examples;
