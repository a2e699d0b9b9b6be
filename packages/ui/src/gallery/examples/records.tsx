import { Avatar, Card, EmailLink, Rating, StatCard, StatusBadge } from '../../index.ts';
import { mostHistoryEntries } from '@clinic/contracts/limits';
import { EarlierChanges } from '../../earlier-changes.tsx';
import { EmailText } from '../../email-text.tsx';
import { Details } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { longText, longWord } from '../example.ts';

/** One record and its parts. */
export const records = {
  Card: {
    Default: () => <Card>Opening hours: 9 AM to 5 PM</Card>,
    'Rises under the pointer': () => <Card lively>Dr. Mei Tanaka, Paediatrics</Card>,
    'Long text': () => <Card>{longText}</Card>,
  },
  Details: {
    Default: () => (
      <Details
        items={[
          ['Email', <EmailLink key="email" email="mei.tanaka@clinic.example" />],
          ['Experience', '8 years'],
          ['Location', 'Children’s Clinic, Level 1'],
        ]}
      />
    ),
    'Long text': () => <Details items={[[longText, longText]]} />,
  },
  EarlierChanges: {
    Default: () => (
      <EarlierChanges
        entries={Array.from({ length: mostHistoryEntries }, () => ({
          at: '2026-11-20T10:00:00.000Z',
          action: 'status changed',
          before: {},
          after: {},
        }))}
      />
    ),
  },
  StatCard: {
    Default: () => <StatCard label="Appointments today" value="24" icon="calendar" hint="3 more than yesterday" />,
    'Figure alone': () => <StatCard label="Orders" value="0" />,
    'Long text': () => <StatCard label={longText} value="৳1,234,567.80" icon="pill" hint={longText} />,
  },
  StatusBadge: {
    'Words with a meaning': () => (
      <>
        <StatusBadge status="Confirmed" />
        <StatusBadge status="Cancelled" />
        <StatusBadge status="Pending" />
        <StatusBadge status="Shipped" />
        <StatusBadge status="low stock" />
        <StatusBadge status="out of stock" />
      </>
    ),
    'Any other word': () => <StatusBadge status="Walk-in" />,
    'A tone and icon of your own': () => <StatusBadge status="Vaccinated" tone="green" icon="heart" />,
    'Longest word': () => <StatusBadge status="Waiting for confirmation" />,
    'Long text': () => (
      <>
        <StatusBadge status={longText} />
        <StatusBadge status={longWord} />
      </>
    ),
  },
  Avatar: {
    Initials: () => <Avatar name="Dr. Mei Tanaka" />,
    Large: () => <Avatar name="Amina Khatun" size={72} />,
    'Broken picture': () => <Avatar name="Peter Hofmann" src="data:image/png;base64,AAAA" />,
    'No portrait': () => (
      <div style={{ width: '8rem' }}>
        <Avatar portrait name="Farhana Siddiqui" />
      </div>
    ),
  },
  Rating: {
    Default: () => <Rating value={4.5} />,
    None: () => <Rating value={0} />,
    Large: () => <Rating value={5} size={28} />,
  },
  EmailLink: {
    Default: () => <EmailLink email="mei.tanaka@clinic.example" />,
    'Narrow column': () => (
      <div style={{ width: '9rem' }}>
        <EmailLink email="wolfeschlegelsteinhausenberger@paediatrics.clinic.example" />
      </div>
    ),
  },
  EmailText: {
    'In a sentence': () => (
      <p>
        We wrote to <EmailText email="mei.tanaka@paediatrics.clinic.example" />.
      </p>
    ),
  },
} satisfies Examples;
