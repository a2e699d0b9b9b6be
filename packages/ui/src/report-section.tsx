import { FiguresSection } from '@clinic/ui/charts';
import type { ReactNode } from 'react';

// Not shared by the shell: each remote bundles its own copy, so it also works in a shell that is older than this file.

export interface ReportSectionProps<Report> {
  /** What the figures are about. */
  readonly title: string;
  /** The report, as app-kit's `useCall` returns it. */
  readonly report: {
    readonly data: Report | undefined;
    readonly error: { readonly message: string } | null;
    readonly isPlaceholderData: boolean;
    readonly refetch: () => Promise<unknown>;
  };
  /** The figures of a loaded report. */
  readonly children: (report: Report) => ReactNode;
}

/** A section with the figures of one report. */
export function ReportSection<Report>({ title, report, children }: ReportSectionProps<Report>) {
  return (
    <FiguresSection
      title={title}
      error={report.error?.message}
      refreshing={report.isPlaceholderData}
      onRetry={() => void report.refetch()}
    >
      {report.data && children(report.data)}
    </FiguresSection>
  );
}
