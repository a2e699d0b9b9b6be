import { Drawing, type DrawingName } from '../layout/drawing.tsx';
import { Section } from '../layout/section.tsx';

interface Tip {
  readonly name: string;
  readonly drawing: DrawingName;
  readonly text: string;
}

const tips: readonly Tip[] = [
  {
    name: 'Stay Active',
    drawing: 'active',
    text: 'Walk briskly for 30 minutes on most days. It’s good for your heart.',
  },
  {
    name: 'Hydrate Daily',
    drawing: 'water',
    text: 'Keep a glass of water within reach and drink before you are thirsty, more on hot days.',
  },
  {
    name: 'Eat Balanced',
    drawing: 'meal',
    text: 'Fill half your plate with vegetables and fruit, and use less salt.',
  },
  {
    name: 'Prioritize Sleep',
    drawing: 'moon',
    text: 'Seven to nine hours, at the same time each night, with the phone in another room.',
  },
];

export function HealthTips() {
  return (
    <Section tinted title="Simple Health Tips" lead="Small habits our doctors recommend.">
      <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-4">
        {tips.map(({ name, drawing, text }) => (
          <li key={name}>
            <Drawing name={drawing} />
            <h3 className="mt-4 text-heading font-semibold">{name}</h3>
            <p className="mt-2 text-sm text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
