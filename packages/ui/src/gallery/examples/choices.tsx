import type { ReactNode } from 'react';
import { FilterBar, SearchField, SelectField } from '../../index.ts';
import { DaysFilter, ListFilter } from '../../list-filters.tsx';
import { SearchResults } from '../../search-results.tsx';
import { Switch } from '../../switch.tsx';
import { StatusSelector } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { after, held, longText, longWord, nothing } from '../example.ts';

const PlainLink = ({ to, children, ...others }: { readonly to: string; readonly children?: ReactNode }) => (
  <a href={to} {...others}>
    {children}
  </a>
);

const statuses = [{ value: '', label: 'All statuses' }, 'Pending', 'Confirmed'];
const results = { component: PlainLink, failure: undefined, onRetry: nothing };

/** What changes a list or a setting at once, without a form. */
export const choices = {
  SearchField: {
    Default: held('', (query, setQuery) => (
      <SearchField label="Search doctors" placeholder="Name or department" value={query} onChange={setQuery} />
    )),
    Filled: held('Mei', (query, setQuery) => (
      <SearchField label="Search patients" hideLabel={false} value={query} onChange={setQuery} />
    )),
  },
  SearchResults: {
    Default: () => (
      <SearchResults
        {...results}
        title="Patients"
        rows={[
          { key: '1', to: '#SearchResults', name: 'Amina Khatun', text: '+880 1555 010400' },
          { key: '2', to: '#SearchResults', name: longWord, text: longText },
        ]}
      />
    ),
    Loading: () => <SearchResults {...results} title="Orders" rows={undefined} />,
    Empty: () => <SearchResults {...results} title="Orders" rows={[]} />,
    Failed: () => (
      <SearchResults {...results} title="Orders" rows={undefined} failure="The pharmacy doesn’t respond." />
    ),
  },
  FilterBar: {
    Default: held('', (query, setQuery) => (
      <FilterBar label="Filter the appointments">
        <SearchField label="Search appointments" placeholder="Patient or doctor" value={query} onChange={setQuery} />
        <SelectField label="Status" options={['All Status', 'Pending', 'Confirmed']} />
      </FilterBar>
    )),
  },
  ListFilter: {
    Default: held('', (status, setStatus) => (
      <ListFilter label="Status" options={statuses} value={status} onChange={setStatus} />
    )),
    'Something else in the address': () => (
      <ListFilter label="Other status" hideLabel options={statuses} value="lost" onChange={nothing} />
    ),
  },
  DaysFilter: {
    Default: () => <DaysFilter list={{ get: () => '2026-11-26', set: nothing }} />,
  },
  Switch: {
    On: held(true, (on, setOn) => <Switch label="I take appointments" checked={on} onChange={setOn} />),
    Off: () => <Switch label="Send me reminders" checked={false} onChange={nothing} />,
    'Long text': () => <Switch label={longText} checked onChange={nothing} />,
  },
  StatusSelector: {
    'Asks before it cancels': held('Pending', (status, setStatus) => (
      <StatusSelector
        label="Status of Amina Khatun’s appointment"
        value={status}
        options={['Pending', 'Confirmed', 'Cancelled']}
        destructive={['Cancelled']}
        onChange={async (next) => {
          await after(800);
          setStatus(next);
        }}
      />
    )),
    'Rejected: the old value returns': () => (
      <StatusSelector
        label="Status of order #4F09A1"
        value="Pending"
        options={['Shipped']}
        onChange={async () => {
          await after(800);
          throw new DOMException('The example rejects every change', 'AbortError');
        }}
      />
    ),
    'With its label': () => (
      <StatusSelector
        label="Role"
        showLabel
        tone="grey"
        value="admin"
        options={['doctor']}
        onChange={() => after(500)}
      />
    ),
    Final: () => (
      <StatusSelector
        label="Status of order #77C2D0"
        value="Delivered"
        options={[]}
        disabledReason="Delivered orders can’t change any more."
        showReason
        onChange={() => after(0)}
      />
    ),
    'Long label': () => (
      <StatusSelector
        label={longText}
        showLabel
        value="Waiting for confirmation"
        options={['Confirmed']}
        onChange={() => after(500)}
      />
    ),
    'Long value': () => (
      <StatusSelector label="Department" value={longText} options={[longWord]} onChange={() => after(500)} />
    ),
  },
} satisfies Examples;
