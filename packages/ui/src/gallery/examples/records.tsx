import { Avatar, Card, EmailLink, Rating, StatCard, StatusBadge } from '../../index.ts';
import { mostHistoryEntries } from '@clinic/contracts/limits';
import { EarlierChanges } from '../../earlier-changes.tsx';
import { EmailText } from '../../email-text.tsx';
import { Details } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { longText, longWord } from '../example.ts';

const email = 'wolfeschlegelsteinhausenberger@paediatrics.clinic.example';
const change = { at: '2026-11-20T10:00:00.000Z', action: 'status changed', before: {}, after: {} };

/** One record and its parts. */
export const records = {
  Card: {
    'Rises under the pointer': () => <Card lively>Dr. Mei Tanaka, Paediatrics</Card>,
    'Long text': () => <Card>{longText}</Card>,
  },
  Details: {
    Default: () => <Details items={[['Experience', '8 years']]} />,
    'Long text': () => <Details items={[[longText, longText]]} />,
  },
  EarlierChanges: {
    Default: () => <EarlierChanges entries={Array.from({ length: mostHistoryEntries }, () => change)} />,
  },
  StatCard: {
    Default: () => <StatCard label="Orders" value="0" />,
    'Long text': () => <StatCard label={longText} value="৳1,234,567.80" icon="pill" hint={longText} />,
  },
  StatusBadge: {
    'Every tone': () => (
      <>
        {['Confirmed', 'Cancelled', 'Pending', 'Shipped', 'low stock', 'out of stock', 'Walk-in'].map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
        <StatusBadge status="Vaccinated" tone="green" icon="heart" />
      </>
    ),
    'Long text': () => (
      <>
        <StatusBadge status={longText} />
        <StatusBadge status={longWord} />
      </>
    ),
  },
  Avatar: {
    Initials: () => <Avatar name="Amina Khatun" size={72} />,
    'Broken picture': () => <Avatar name="Peter Hofmann" src="data:image/png;base64,AAAA" />,
    'No portrait': () => (
      <div style={{ width: '8rem' }}>
        <Avatar portrait name="Farhana Siddiqui" />
      </div>
    ),
  },
  Rating: {
    Half: () => <Rating value={4.5} size={28} />,
    None: () => <Rating value={0} />,
  },
  EmailLink: {
    'Narrow column': () => (
      <div style={{ width: '9rem' }}>
        <EmailLink email={email} />
      </div>
    ),
  },
  EmailText: {
    'In a sentence': () => (
      <p>
        We wrote to <EmailText email={email} />.
      </p>
    ),
  },
} satisfies Examples;
