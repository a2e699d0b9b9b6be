import { DrawingList, type DrawingItem } from '../layout/drawing-list.tsx';
import { Section } from '../layout/section.tsx';

const tips: readonly DrawingItem[] = [
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
      <DrawingList items={tips} />
    </Section>
  );
}
