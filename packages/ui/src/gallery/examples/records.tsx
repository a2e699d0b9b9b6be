import { Avatar, Card, EmailLink, Rating, StatCard, StatusBadge } from '../../index.ts';
import { Details } from '../../tables.ts';
import type { Examples } from '../example.ts';
import { longText, longWord } from '../example.ts';

const email = 'wolfeschlegelsteinhausenberger@paediatrics.clinic.example';

/** One record and its parts. */
export const records = {
  Card: {
    'Long text': () => <Card>{longText}</Card>,
  },
  Details: {
    'Long text': () => <Details items={[[longText, longText]]} />,
  },
  Rating: {
    None: () => <Rating value={0} />,
  },
  StatCard: {
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
  EmailLink: {
    'Narrow column': () => (
      <div style={{ width: '9rem' }}>
        <EmailLink email={email} />
      </div>
    ),
  },
} satisfies Examples;
