import { usePageTitle } from '@clinic/app-kit';
import { Card } from '@clinic/ui';
import type { ReactNode } from 'react';
import { useLinkWords } from './words/use-link-words.ts';

interface LinkCardProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** The frame of a page that a link in a message opens. */
export function LinkCard({ title, children }: LinkCardProps) {
  usePageTitle(title);
  const { language } = useLinkWords();
  return (
    <div lang={language} className="mx-auto w-full max-w-xl px-4 py-10 sm:py-16">
      <Card className="grid gap-5">
        <h1 className="text-title font-bold wrap-break-word">{title}</h1>
        {children}
      </Card>
    </div>
  );
}
