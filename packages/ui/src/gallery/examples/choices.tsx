import type { ReactNode } from 'react';
import { FilterBar, SearchField, SelectField } from '../../index.ts';
import { DaysFilter, ListFilter } from '../../list-filters.tsx';
import { SearchResults } from '../../search-results.tsx';
import { Switch } from '../../switch.tsx';
import { StatusSelector } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { held, longText, longWord, nothing } from '../example.ts';

const PlainLink = ({ to, children, ...others }: { readonly to: string; readonly children?: ReactNode }) => (
  <a href={to} {...others}>
    {children}
  </a>
);

const statuses = [{ value: '', label: 'All statuses' }, 'Pending', 'Confirmed'];
const results = { component: PlainLink, title: 'Patients', rows: undefined, failure: undefined, onRetry: nothing };
const found = { to: '#SearchResults', name: longWord, text: longText };
const unchanged = async (): Promise<void> => undefined;

/** What changes a list or a setting at once, without a form. */
export const choices = {
  SearchField: {
    Default: held('', (query, setQuery) => (
      <SearchField label="Search doctors" placeholder="Name or department" value={query} onChange={setQuery} />
    )),
    Filled: () => <SearchField label="Search patients" hideLabel={false} value="Mei" onChange={nothing} />,
  },
  SearchResults: {
    Default: () => <SearchResults {...results} rows={[{ key: '1', ...found }]} />,
    Loading: () => <SearchResults {...results} />,
    Empty: () => <SearchResults {...results} rows={[]} />,
    Failed: () => <SearchResults {...results} failure="The pharmacy doesn’t respond." />,
  },
  FilterBar: {
    Default: () => (
      <FilterBar label="Filter the appointments">
        <SearchField label="Search appointments" placeholder="Patient or doctor" value="" onChange={nothing} />
        <SelectField label="Status" options={['All Status', 'Pending', 'Confirmed']} />
      </FilterBar>
    ),
  },
  ListFilter: {
    Default: held('', (status, setStatus) => (
      <ListFilter label="Status" options={statuses} value={status} onChange={setStatus} />
    )),
  },
  DaysFilter: {
    Default: () => <DaysFilter list={{ get: () => '2026-11-26', set: nothing }} />,
  },
  Switch: {
    On: held(true, (on, setOn) => <Switch label="I take appointments" checked={on} onChange={setOn} />),
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
