import type { CaseAnnex } from '../../../../src/contract/operations/cases.ts';
import { DownloadCase } from '../../cases/download-case.tsx';
import { useCase } from '../../cases/use-case.ts';
import { Shown } from '../../components/shown.tsx';
import { Table } from '../../components/table.tsx';
import { formatNumber } from '../../lib/format.ts';

/** The positions open at the event, and the signed file of all evidence. */
export function CasePart({ sequenceNumber }: { sequenceNumber: string }) {
  const file = useCase(sequenceNumber);
  return (
    <Shown read={file} what="the case file" lines={2}>
      {({ annex }) => (
        <>
          <OpenPositions known={annex.openPositions} />
          <div className="row no-print">
            <DownloadCase sequenceNumber={sequenceNumber}>Download signed case file</DownloadCase>
          </div>
        </>
      )}
    </Shown>
  );
}

function OpenPositions({ known }: { known: CaseAnnex['openPositions'] }) {
  const { source, count, positions, remark } = known;
  const said = source === 'deals' && count === 0 ? `Nothing was open. ${remark}` : remark;
  return (
    <>
      {positions.length > 0 ? (
        <Table
          caption={`Open at the moment: ${formatNumber(count, 0)}`}
          rows={positions}
          rowKey={({ positionId }) => positionId}
          columns={[
            { title: 'Position', cell: ({ positionId }) => positionId },
            { title: 'Symbol', cell: ({ symbol = '' }) => symbol },
            { title: 'Side', cell: ({ type }) => (type === 'DEAL_TYPE_BUY' ? 'Buy' : 'Sell') },
            { title: 'Lots', align: 'end', cell: ({ volume }) => volume },
            { title: 'Opened', cell: ({ openBrokerTime }) => openBrokerTime },
            { title: 'Price', align: 'end', cell: ({ openPrice = '' }) => openPrice },
          ]}
        />
      ) : null}
      <p className="hint">{said}</p>
    </>
  );
}
