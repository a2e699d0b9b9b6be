import { Card, Icon } from '@clinic/ui';
import { Section } from '../layout/section.tsx';

interface Article {
  readonly title: string;
  readonly topic: string;
  readonly summary: string;
  readonly href: string;
}

/** Three fixed articles on the World Health Organization's site. */
const articles: readonly Article[] = [
  {
    title: 'Physical activity: how much is enough?',
    topic: 'Fitness',
    summary: 'What adults, children and older people gain from moving more, and the least that makes a difference.',
    href: 'https://www.who.int/news-room/fact-sheets/detail/physical-activity',
  },
  {
    title: 'High blood pressure often has no symptoms',
    topic: 'Heart',
    summary: 'Almost half of those affected don’t know it. Why a measurement takes a minute and can save a life.',
    href: 'https://www.who.int/news-room/fact-sheets/detail/hypertension',
  },
  {
    title: 'What a healthy diet looks like',
    topic: 'Nutrition',
    summary: 'Practical advice on fruit and vegetables, fats, sugar and salt, for every kitchen.',
    href: 'https://www.who.int/news-room/fact-sheets/detail/healthy-diet',
  },
];

export function LatestNews() {
  return (
    <Section title="Latest Health News" lead="Worth reading, from the World Health Organization.">
      <ul className="grid gap-5 md:grid-cols-3">
        {articles.map(({ title, topic, summary, href }) => (
          <Card key={href} as="li" lively className="relative flex flex-col">
            <p className="self-start rounded-full bg-warm px-3 py-0.5 text-xs font-semibold">{topic}</p>
            <h3 className="mt-4 text-heading font-semibold">
              {/* The whole card is clickable. */}
              <a href={href} target="_blank" rel="noopener" className="after:absolute after:inset-0 after:rounded-card">
                {title}
              </a>
            </h3>
            <p className="mt-2 mb-5 text-sm text-muted">{summary}</p>
            <p className="mt-auto inline-flex items-center gap-2 text-sm font-semibold text-primary">
              Read on who.int<span className="sr-only"> (opens in a new tab)</span>
              <Icon name="arrow-right" size={16} />
            </p>
          </Card>
        ))}
      </ul>
    </Section>
  );
}
