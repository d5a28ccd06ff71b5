//+------------------------------------------------------------------+
//| Plimsoll: rows that wait until the server has taken them, oldest |
//| first.                                                           |
//+------------------------------------------------------------------+
#define MAX_ROWS 20000   // More rows thin out the older half
#define ROW_DEALS 400    // A row with as many gets no more; the server takes 1000

class Rows
  {
private:
   string            m_rows[MAX_ROWS];   // A ring
   int               m_first;
   int               m_count;
   int               m_marked;
   long              m_dropped;
   int               m_version;
   string            m_carried;          // Deals that have no row yet

   void              Put(const int index,const string row)
     {
      m_rows[(m_first+index)%MAX_ROWS]=row;
     }

public:
   void              Clear(void)
     {
      m_first=0;
      m_count=0;
      m_marked=0;
      m_dropped=0;
      m_version=0;
      m_carried="";
     }

   int               Count(void) { return(m_count); }
   string            Row(const int index) { return(m_rows[(m_first+index)%MAX_ROWS]); }

   //--- How many of the first rows are under way together, and will be again until they are dropped
   int               Marked(void) { return(m_marked); }
   void              Mark(const int count) { m_marked=count; }

   //--- How many rows were dropped; the first one has this number, the next one the next
   long              Dropped(void) { return(m_dropped); }

   //--- Changes whenever rows are not only added at the end or dropped at the beginning
   int               Version(void) { return(m_version); }

   //--- A row as it is. False when there is no room
   bool              Push(const string row)
     {
      if(m_count==MAX_ROWS)
         return(false);
      Put(m_count,row);
      m_count++;
      return(true);
     }

   void              DropFirst(const int count)
     {
      for(int i=0; i<count; i++)
         Put(i,"");
      m_first=(m_first+count)%MAX_ROWS;
      m_count-=count;
      m_dropped+=count;
      m_marked=0;
     }

private:
   //--- Closes the gaps that empty rows are
   void              Compact(void)
     {
      int kept=0;
      for(int i=0; i<m_count; i++)
        {
         string row=Row(i);
         if(StringLen(row)==0)
            continue;
         Put(kept,row);
         kept++;
        }
      for(int i=kept; i<m_count; i++)
         Put(i,"");
      m_count=kept;
      m_version++;
     }

   //--- Empties the rows from..until-1 but those with the lowest and the highest equity. Returns
   //--- deals that found no row to stay in
   string            ThinGroup(const int from,const int until,const string before)
     {
      int low=from,high=from;
      for(int i=from+1; i<until; i++)
        {
         double equity=EquityOf(Row(i));
         if(equity<EquityOf(Row(low)))
            low=i;
         if(equity>EquityOf(Row(high)))
            high=i;
        }
      string carried=before;
      for(int i=from; i<until; i++)
        {
         string deals=JoinedDeals(carried,DealsOf(Row(i)));
         bool   stays=(i==low || i==high || CountDeals(deals)>=ROW_DEALS);
         Put(i,stays ? RowOf(HeadOf(Row(i)),deals) : "");
         carried=(stays ? "" : deals);
        }
      return(carried);
     }

   //--- Makes room in the older half. Deals go on with the next row that stays, which holds them
   void              Thin(void)
     {
      Print("Plimsoll: ",m_count," snapshots wait; the older ones are thinned out");
      int    until=m_marked+(m_count-m_marked)/2;
      string carried="";
      for(int from=m_marked; from<until; from+=4)
         carried=ThinGroup(from,from+4<until ? from+4 : until,carried);
      Put(until,RowOf(HeadOf(Row(until)),JoinedDeals(carried,DealsOf(Row(until)))));
      Compact();
     }

public:
   //--- False when it is full of deals: then the row was not taken
   bool              Add(const string head,const string deals)
     {
      if(m_count+2>MAX_ROWS)
         Thin();
      if(m_count+2>MAX_ROWS)
         return(false);
      if(StringLen(m_carried)>0)
         Push(RowOf(head,m_carried));
      m_carried="";
      return(Push(RowOf(head,deals)));
     }

   //--- Takes the snapshot of a row out; its deals go with the next one. Call Close() afterwards
   void              RefuseSnapshot(const int index)
     {
      string deals=DealsOf(Row(index));
      int    next=index+1;
      while(next<m_count && StringLen(Row(next))==0)
         next++;
      if(next==m_count)
         m_carried=JoinedDeals(m_carried,deals);
      Put(index,StringLen(deals)==0 || next==m_count ? "" : RowOf(HeadOf(Row(next)),deals));
     }

   //--- Takes a deal out of a row and returns it. Call Close() afterwards
   string            RefuseDeal(const int index,const int deal)
     {
      string deals=DealsOf(Row(index));
      string refused=TakeDeal(deals,deal);
      Put(index,RowOf(HeadOf(Row(index)),deals));
      return(refused);
     }

   void              Close(void)
     {
      m_marked=0;
      Compact();
     }
  };
//+------------------------------------------------------------------+
