import { ApiProblem, notify } from '@clinic/app-kit';
import { Button } from '@clinic/ui';
import { useState } from 'react';
import { copyOfData, saveCopy, UnknownDataHolder } from './copy-of-data.ts';

interface DownloadButtonProps {
  readonly email: string;
  /** Whose the address is on screen; absent: one's own. */
  readonly userId?: string;
  readonly label: string;
}

/** Downloads all data about a person as one file. */
export function DownloadButton({ email, userId, label }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false);

  async function download(): Promise<void> {
    setBusy(true);
    try {
      saveCopy(await copyOfData(email, userId), email);
      notify.success('The file is in your downloads');
    } catch (error) {
      console.error('Could not copy the data', error);
      notify.error(
        'We couldn’t make the file',
        error instanceof ApiProblem || error instanceof UnknownDataHolder ? error.message : 'Try again.',
      );
    }
    setBusy(false);
  }

  return (
    <Button variant="soft" icon="clipboard" busy={busy} onClick={() => void download()}>
      {label}
    </Button>
  );
}
