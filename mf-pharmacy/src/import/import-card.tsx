import { Link } from '@clinic/app-kit';
import { maxImportLines } from '@clinic/svc-pharmacy/contract/limits';
import { Alert, Button, buttonClass, Card } from '@clinic/ui';
import { BadLines } from './bad-lines.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportProgress } from './import-progress.tsx';
import { useImport, type ImportState } from './use-import.ts';

/** Imports many medicines from a CSV file: shows every bad line before anything is stored. */
export function ImportCard() {
  const { state, choose, store, restart } = useImport();
  return (
    <Card as="section" aria-labelledby="import-title" className="relative mt-8 grid max-w-3xl gap-5">
      <div id="import" className="scroll-mt-28">
        <h2 id="import-title" className="text-heading font-semibold">
          Import from a CSV file
        </h2>
        <p id="import-hint" className="mt-1 max-w-prose text-muted">
          Put one medicine on each line, up to {maxImportLines.toLocaleString('en')}. The first line must name the
          columns Name, Quantity, Expiry date (yyyy-mm-dd) and Price per unit. Medicine ID, Manufacturer, Unit, Most per
          customer, Category and Prescription only (yes or no) are optional. We show you any problems before we import
          anything.
        </p>
      </div>
      {state.step === 'idle' && (
        <>
          {state.problem && (
            <Alert kind="error" title="We couldn’t check this file">
              {state.problem}
            </Alert>
          )}
          <FileChoice onChoose={(file) => void choose(file)} />
        </>
      )}
      {state.step === 'checking' && <ImportProgress label="Checking the lines" done={state.done} total={state.total} />}
      {state.step === 'preview' && <ImportPreview {...state} onStore={() => void store()} onRestart={restart} />}
      {state.step === 'importing' && (
        <ImportProgress label="Importing medicines" done={state.done} total={state.total} />
      )}
      {state.step === 'stopped' && <Stopped {...state} onContinue={() => void store()} />}
      {state.step === 'done' && <Done {...state} onRestart={restart} />}
    </Card>
  );
}

function FileChoice({ onChoose }: { readonly onChoose: (file: File) => void }) {
  return (
    <>
      <input
        id="import-file"
        type="file"
        accept=".csv,text/csv"
        className="peer sr-only"
        aria-describedby="import-hint"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // Otherwise choosing the same file again, once corrected, would be no change.
          event.target.value = '';
          if (file) onChoose(file);
        }}
      />
      <label
        htmlFor="import-file"
        className={buttonClass(
          { variant: 'secondary' },
          'justify-self-start outline-offset-2 outline-primary max-sm:w-full peer-focus-visible:outline-2',
        )}
      >
        Choose a CSV file
      </label>
    </>
  );
}

type StateOf<Step extends ImportState['step']> = Extract<ImportState, { step: Step }>;

function Stopped({ done, total, problem, onContinue }: StateOf<'stopped'> & { readonly onContinue: () => void }) {
  return (
    <Alert
      kind="error"
      title={`Import stopped after ${done.toLocaleString('en')} of ${total.toLocaleString('en')} lines`}
      actions={
        <Button size="sm" icon="refresh" onClick={onContinue}>
          Continue
        </Button>
      }
    >
      {problem} The medicines imported so far are saved. If you continue, we won’t add them again.
    </Alert>
  );
}

function Done({ added, bad, onRestart }: StateOf<'done'> & { readonly onRestart: () => void }) {
  return (
    <>
      <Alert
        kind={added > 0 ? 'success' : 'warning'}
        title={`${added.toLocaleString('en')} ${added === 1 ? 'medicine was' : 'medicines were'} imported`}
      >
        <Link to="/dash/medicine" className="font-medium underline underline-offset-4">
          See the inventory
        </Link>
      </Alert>
      {bad.length > 0 && <BadLines bad={bad} title="Not imported" />}
      <Button variant="secondary" className="justify-self-start max-sm:w-full" onClick={onRestart}>
        Import another file
      </Button>
    </>
  );
}
