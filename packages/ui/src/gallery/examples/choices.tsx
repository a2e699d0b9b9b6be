import { SearchField } from '../../index.ts';
import { SearchResults } from '../../search-results.tsx';
import { Switch } from '../../switch.tsx';
import { StatusSelector } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { held, longText, longWord, nothing } from '../example.ts';

const results = { component: 'a' as const, title: 'Patients', rows: undefined, failure: undefined, onRetry: nothing };
const unchanged = async (): Promise<void> => undefined;

/** What changes a list or a setting at once, without a form. */
export const choices = {
  SearchField: {
    'Long text': () => <SearchField label={longText} hideLabel={false} value={longWord} onChange={nothing} />,
  },
  SearchResults: {
    Loading: () => <SearchResults {...results} />,
    Empty: () => <SearchResults {...results} rows={[]} />,
    Failed: () => <SearchResults {...results} failure="The pharmacy doesn’t respond." />,
    'Long text': () => <SearchResults {...results} rows={[{ key: '1', to: '', name: longWord, text: longText }]} />,
  },
  Switch: {
    'Long text': () => <Switch label={longText} checked={false} onChange={nothing} />,
  },
  StatusSelector: {
    'Asks before it cancels': held('Pending', (status, setStatus) => (
      <StatusSelector
        label="Status of Amina Khatun’s appointment"
        value={status}
        options={['Pending', 'Confirmed', 'Cancelled']}
        destructive={['Cancelled']}
        onChange={async (next) => setStatus(next)}
      />
    )),
    Final: () => (
      <StatusSelector
        label="Status of order #77C2D0"
        value="Delivered"
        options={[]}
        disabledReason="Delivered orders can’t change any more."
        showReason
        onChange={unchanged}
      />
    ),
    'Long label': () => (
      <StatusSelector label={longText} showLabel value="Waiting for confirmation" options={[]} onChange={unchanged} />
    ),
    'Long value': () => (
      <StatusSelector label="Department" value={longText} options={[longWord]} onChange={unchanged} />
    ),
  },
} satisfies Examples;
