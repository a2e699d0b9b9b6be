import './gallery.css';
import { useState, type ReactNode } from 'react';
import { addUp, BarChart, bucketsOf, ChartPanel, timeColumn, type Series } from './charts/index.ts';
import {
  Alert,
  Avatar,
  Button,
  ButtonLink,
  Card,
  CardSkeleton,
  DateField,
  Dialog,
  EmptyState,
  ErrorState,
  FilterBar,
  Icon,
  Logo,
  NumberField,
  PageHeader,
  Pagination,
  PasswordField,
  Rating,
  SearchField,
  SelectField,
  Spinner,
  StatCard,
  StatusBadge,
  TextAreaField,
  TextField,
  iconNames,
  type ButtonVariant,
} from './index.ts';
import { ConfirmDialog, DataTable, Details, StatusSelector, type Column } from './tables.ts';

interface Row {
  readonly id: string;
  readonly patient: string;
  readonly doctor: string;
  readonly when: string;
  readonly status: string;
}

const rows: readonly Row[] = [
  { id: '1', patient: 'Amina Khatun', doctor: 'Dr. Farhana Siddiqui', when: 'Mon 24 Nov, 09:30', status: 'Pending' },
  { id: '2', patient: 'Jonas Lindqvist', doctor: 'Dr. Peter Hofmann', when: 'Tue 25 Nov, 11:00', status: 'Confirmed' },
  { id: '3', patient: 'Mehjabin Chowdhury', doctor: 'Dr. Mei Tanaka', when: 'Wed 26 Nov, 17:30', status: 'Cancelled' },
];

const columns: readonly Column<Row>[] = [
  { key: 'patient', header: 'Patient', primary: true, cell: (row) => row.patient },
  { key: 'doctor', header: 'Doctor', cell: (row) => row.doctor },
  { key: 'when', header: 'Date and time', cell: (row) => row.when },
  { key: 'badge', header: 'Status', only: 'table', cell: (row) => <StatusBadge status={row.status} /> },
  { key: 'status', header: 'Change status', cell: (row) => <Selector row={row} /> },
  {
    key: 'actions',
    header: 'Actions',
    actions: true,
    align: 'end',
    cell: () => (
      <Button size="sm" variant="ghost" icon="clock">
        History
      </Button>
    ),
  },
];

const series: readonly Series[] = [
  { key: 'confirmed', label: 'Confirmed', hue: 'main' },
  { key: 'cancelled', label: 'Cancelled', hue: 'third' },
];
const days = addUp(
  bucketsOf('2026-11-10', '2026-11-23'),
  bucketsOf('2026-11-10', '2026-11-23').map(({ from }, place) => ({
    date: from,
    confirmed: (place * 5) % 7,
    cancelled: place % 3,
  })),
  ['confirmed', 'cancelled'],
);

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function Selector({ row }: { readonly row: Row }) {
  const [value, setValue] = useState(row.status);
  return (
    <StatusSelector
      label={`Status of ${row.patient}'s appointment`}
      value={value}
      destructive={['Cancelled']}
      options={value === 'Cancelled' ? [] : ['Pending', 'Confirmed', 'Cancelled']}
      onChange={async (next) => {
        await after(800);
        setValue(next);
      }}
    />
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="ui-gallery-part">
      <h2 className="ui-dialog-title">{title}</h2>
      {children}
    </section>
  );
}

const variants: readonly ButtonVariant[] = ['primary', 'secondary', 'soft', 'ghost', 'danger', 'accent', 'link'];
const empty = {
  title: 'No appointments yet',
  text: 'When you book one, it shows up here.',
  action: <ButtonLink href="/ourDoctors">Choose a doctor</ButtonLink>,
};

function Dialogs() {
  const [open, setOpen] = useState<'dialog' | 'confirm'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen('dialog')}>
        Open dialog
      </Button>
      <Button variant="secondary" onClick={() => setOpen('confirm')}>
        Open question
      </Button>
      <Dialog
        open={open === 'dialog'}
        title="Restock medicine"
        onClose={close}
        actions={<Button onClick={close}>Save</Button>}
      >
        <NumberField label="Units to add" min={1} defaultValue={10} />
      </Dialog>
      <ConfirmDialog
        open={open === 'confirm'}
        title="Cancel this appointment?"
        confirmLabel="Cancel appointment"
        destructive
        onConfirm={close}
        onCancel={close}
      >
        The slot becomes free for others.
      </ConfirmDialog>
    </>
  );
}

function Buttons() {
  return (
    <Part title="Buttons">
      {variants.map((variant) => (
        <Button key={variant} variant={variant}>
          {variant}
        </Button>
      ))}
      <Button busy>Saving</Button>
      <Button disabled>Disabled</Button>
      <Button size="sm" icon="check">
        Small
      </Button>
      <Button size="lg" iconAfter="arrow-right">
        Large
      </Button>
      <ButtonLink href="#link" variant="soft" icon="calendar">
        Link
      </ButtonLink>
    </Part>
  );
}

function Statuses() {
  return (
    <Part title="Status">
      {[
        'Pending',
        'Confirmed',
        'Cancelled',
        'Shipped',
        'Delivered',
        'in stock',
        'low stock',
        'out of stock',
        'unknown',
      ].map((status) => (
        <StatusBadge key={status} status={status} />
      ))}
      <StatusSelector
        label="Failing"
        value="Pending"
        options={['Confirmed']}
        onChange={async () => {
          await after(800);
          throw new Error('refused');
        }}
      />
      <StatusSelector
        label="Final"
        value="Delivered"
        options={[]}
        disabledReason="Delivered orders can't change any more."
        onChange={() => after(0)}
      />
      <StatusSelector
        label="Role"
        showLabel
        value="admin"
        options={['doctor']}
        tone="grey"
        labelFor={(it) => it.toUpperCase()}
        onChange={() => after(500)}
      />
      <Rating value={4} />
      <Spinner />
      <Avatar name="Dr. Mei Tanaka" size={48} />
    </Part>
  );
}

function Cards() {
  return (
    <div className="ui-cards">
      <Card>
        <form className="ui-gallery-form" noValidate>
          <TextField label="Name" required defaultValue="Amina Khatun" />
          <TextField
            label="Email"
            type="email"
            hint="We only write about your appointments."
            error="Enter an email address like name@example.com"
            defaultValue="amina"
          />
          <PasswordField label="Password" autoComplete="new-password" defaultValue="Demo-1234" />
          <NumberField label="Age" min={1} error="Age must be positive" defaultValue={0} />
        </form>
      </Card>
      <Card>
        <form className="ui-gallery-form" noValidate>
          <DateField label="Date" />
          <SelectField label="Unit" options={['box', 'bottle', 'strip']} />
          <TextAreaField label="Message" placeholder="How can we help?" />
          <TextField label="Disabled" disabled defaultValue="Not yours" />
        </form>
      </Card>
      <StatCard label="Appointments today" value="24" icon="calendar" hint="3 more than yesterday" />
      <Card>
        <Details
          items={[
            ['Email', 'mei.tanaka@clinic.example'],
            ['Experience', '8 years'],
            ['Location', 'Children’s Clinic, Level 1'],
          ]}
        />
      </Card>
    </div>
  );
}

function Messages() {
  return (
    <Part title="Messages">
      <Alert kind="success" title="Saved">
        Status changed to Confirmed.
      </Alert>
      <Alert kind="info">The pharmacy is closed on Friday.</Alert>
      <Alert kind="warning" title="Low stock" onClose={() => {}}>
        Paracetamol: 4 boxes left.
      </Alert>
      <Alert
        kind="error"
        title="Login failed"
        actions={
          <Button size="sm" variant="ghost">
            Retry
          </Button>
        }
      >
        The password is wrong.
      </Alert>
    </Part>
  );
}

function Lists() {
  const [query, setQuery] = useState('');
  const [from, setFrom] = useState(1);
  return (
    <>
      <FilterBar>
        <SearchField
          label="Search appointments"
          placeholder="Search by patient or doctor"
          value={query}
          onChange={setQuery}
        />
        <SelectField label="Status" options={['All Status', 'Pending', 'Confirmed']} />
      </FilterBar>
      <DataTable
        caption="Appointments"
        columns={columns}
        rows={rows.filter((row) => row.patient.toLowerCase().includes(query.toLowerCase()))}
        rowKey={(row) => row.id}
        empty={{ title: `Nothing found for “${query}”` }}
      />
      <Pagination
        label="Appointments"
        from={from}
        count={20}
        total={134}
        hasPrevious={from > 1}
        hasNext={from < 100}
        onPrevious={() => setFrom(from - 20)}
        onNext={() => setFrom(from + 20)}
      />
    </>
  );
}

function OtherStates() {
  return (
    <Part title="Loading, failed, empty">
      <DataTable caption="Loading table" columns={columns} rows={undefined} rowKey={(row) => row.id} empty={empty} />
      <DataTable
        caption="Failed table"
        columns={columns}
        rows={undefined}
        loading={false}
        error="Error loading appointments"
        onRetry={() => {}}
        rowKey={(row) => row.id}
        empty={empty}
      />
      <DataTable caption="Empty table" columns={columns} rows={[]} rowKey={(row) => row.id} empty={empty} />
      <Card>
        <EmptyState icon="pill" title="No medicine" />
      </Card>
      <Card>
        <ErrorState title="Error loading profile" onRetry={() => {}} />
      </Card>
      <CardSkeleton />
    </Part>
  );
}

function Charts() {
  return (
    <ChartPanel
      title="Appointments by day"
      summary="What is booked for each day."
      legend={series}
      rows={days}
      fileName="appointments"
      columns={[
        timeColumn('day'),
        { header: 'Confirmed', value: ({ values }) => values.confirmed },
        { header: 'Cancelled', value: ({ values }) => values.cancelled },
      ]}
    >
      <BarChart label="Appointments by day" points={days} series={series} />
    </ChartPanel>
  );
}

/** Every component in its states, for developers; the shell shows it at /__ui in development. */
export default function Gallery() {
  return (
    <main id="main" tabIndex={-1} className="ui-gallery">
      <PageHeader
        title="Design system"
        count={30}
        description="Every component in its states."
        actions={<Button icon="plus">Create profile</Button>}
      />
      <Part title="Brand">
        <Logo size={44} />
        <Logo />
      </Part>
      <Buttons />
      <Statuses />
      <Cards />
      <Messages />
      <Part title="Dialogs">
        <Dialogs />
      </Part>
      <Lists />
      <OtherStates />
      <Charts />
      <Part title="Icons">
        {iconNames.map((name) => (
          <Icon key={name} name={name} label={name} size={24} />
        ))}
      </Part>
    </main>
  );
}
