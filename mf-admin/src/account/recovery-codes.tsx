import { notify } from '@clinic/app-kit';
import { Alert, Button } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { saveFile } from '@clinic/ui/save-file';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly email: string;
  readonly onKept: () => void;
}

/** Shows new recovery codes: the page can't get them again. */
export function RecoveryCodes({ codes, email, onKept }: RecoveryCodesProps) {
  const text = `Recovery codes for ${email}\nEach works once, in place of a code from the authenticator app.\n\n${codes.join('\n')}\n`;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      notify.success('The codes are copied');
    } catch (error) {
      // The browser doesn't allow copying.
      console.error('Could not copy', error);
      notify.error('We couldn’t copy the codes', 'Download or print them instead.');
    }
  }

  return (
    <div className="grid gap-4">
      <Alert kind="warning" title="Save these recovery codes now">
        If you lose your phone, use one of them to log in. Each code works once. We won’t show them again.
      </Alert>
      {/* Only this is printed: see styles.css. */}
      <div data-print="">
        <p className="mb-4 hidden print:block">
          Recovery codes for <EmailText email={email} />. Each works once, in place of a code from the authenticator
          app.
        </p>
        <ul
          aria-label="Recovery codes"
          className="grid gap-x-6 gap-y-2 rounded-field bg-base-200 p-4 font-mono tracking-wide sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" icon="clipboard" onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          variant="secondary"
          icon="arrow-right"
          onClick={() => saveFile(text, 'recovery-codes.txt', 'text/plain')}
        >
          Download
        </Button>
        <Button variant="secondary" icon="clipboard" onClick={() => print()}>
          Print
        </Button>
        <Button onClick={onKept}>I’ve saved them</Button>
      </div>
    </div>
  );
}
