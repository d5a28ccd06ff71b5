//+------------------------------------------------------------------+
//| Plimsoll: turns what the account shows into rows. A row is one   |
//| moment: balance and equity, and the deals that led to them.      |
//+------------------------------------------------------------------+
#define HEARTBEAT_SECONDS 60   // While nothing changes, a row a minute
#define MAX_WAIT_MS 10000      // For the deal that explains a new balance
#define LOADING_MS 600000      // Terminals may take as long to load a history after a start
#define OVERLAP_SECONDS 604800 // After a start, deals of the last week are sent again

class Recorder
  {
private:
   string            m_account;        // Start of a row
   string            m_cursor;         // Names of two global variables: time of the newest deal that
   string            m_cursorCount;    // the server has, and how many deals it has
   double            m_halfUnit;       // Amounts that differ by less are the same
   LIST_OF(long,m_known);              // Deals of all rows, sorted
   double            m_sum;            // What they add to the balance
   double            m_missing;        // The balance of the last row beyond that
   LIST_OF(long,m_found);              // Deals that are in no row yet
   LIST_OF(long,m_foundAt);            // Their times
   double            m_money;          // What they add to the balance
   long              m_newest;         // Time of the newest deal of all rows
   long              m_saved;          // What the cursor holds
   int               m_savedCount;
   bool              m_isFirst;        // There is no row since the start
   uint              m_openedAt;
   bool              m_isWaiting;
   uint              m_waitedSince;
   int               m_historySize;    // As the last row saw it
   long              m_tick;           // As the last row saw it
   long              m_time;           // Of the last row
   double            m_balance;
   double            m_equity;

   bool              IsKnown(const long deal)
     {
      int low=0,high=ArraySize(m_known);
      while(low<high)
        {
         int middle=(low+high)/2;
         if(m_known[middle]<deal)
            low=middle+1;
         else
            high=middle;
        }
      return(low<ArraySize(m_known) && m_known[low]==deal);
     }

   bool              IsNothing(const double amount)
     {
      return(MathAbs(amount)<m_halfUnit);
     }

   //--- Balances often change a moment before the deal shows: wait for it, but not for ever
   bool              MustWait(const double balance)
     {
      double missing=balance-m_sum-m_money;
      if(IsNothing(missing) || IsNothing(missing-m_missing))
         return(false);
      if(!m_isWaiting)
         m_waitedSince=GetTickCount();
      m_isWaiting=true;
      if((uint)(GetTickCount()-m_waitedSince)<MAX_WAIT_MS)
         return(true);
      Print("Plimsoll: the balance differs by ",JsonNumber(missing-m_missing),
            " from what the deals in the history add up to",m_isFirst ? HISTORY_HINT : "");
      return(false);
     }

   //--- Deals from..until-1 of those found are in a row now
   void              Remember(const int from,const int until)
     {
      int size=ArraySize(m_known);
      ArrayResize(m_known,size+until-from,4096);
      for(int i=from; i<until; i++)
        {
         m_known[size+i-from]=m_found[i];
         if(m_foundAt[i]>m_newest)
            m_newest=m_foundAt[i];
        }
      ArraySort(m_known);
     }

   //--- From when on deals have to be sent. At a start the server has the older ones, unless more of
   //--- them show than when it last confirmed all
   long              SendFrom(void)
     {
      if(!m_isFirst)
         return(0);
      int count=0;
      for(int i=ArraySize(m_foundAt)-1; i>=0; i--)
         if(m_foundAt[i]<=m_saved)
            count++;
      return(count>m_savedCount ? 0 : m_saved-OVERLAP_SECONDS);
     }

   //--- All that was found, in rows of one moment. False when the queue took no more
   bool              AddRows(Rows &rows,const string head)
     {
      int    found=ArraySize(m_found);
      int    added=0,count=0;
      long   sendFrom=SendFrom();
      string deals="";
      for(int i=0; i<found; i++)
        {
         if(m_foundAt[i]<sendFrom)
            continue;
         if(count>=ROW_DEALS-1)
           {
            if(!rows.Add(head,deals))
               return(false);
            Remember(added,i);
            added=i;
            count=0;
            deals="";
           }
         string record=DealRecord(m_found[i]);
         if(count>0)
            deals+=DEAL_SEPARATOR;
         deals+=record;
         count+=CountDeals(record);
        }
      if(!rows.Add(head,deals))
         return(false);
      Remember(added,found);
      return(true);
     }

   //--- The server's clock as the terminal knows it: the last tick, or a deal that came after it.
   //--- It may go back with a new tick, when the broker changes its clock
   long              TimeOfMoment(const long tick)
     {
      long time=(tick==m_tick ? m_time : tick);
      for(int i=ArraySize(m_foundAt)-1; i>=0; i--)
         if(m_foundAt[i]>time)
            time=m_foundAt[i];
      return(time);
     }

public:
   void              Open(const string accountId,const string name,const double halfUnit)
     {
      m_account="{\"accountId\":"+JsonText(accountId)+",\"brokerTime\":";
      m_cursor=name;
      m_cursorCount=name+"-count";
      m_halfUnit=halfUnit;
      ArrayResize(m_known,0);
      m_sum=0;
      m_missing=0;
      m_saved=(GlobalVariableCheck(m_cursor) ? (long)GlobalVariableGet(m_cursor) : 0);
      m_savedCount=(GlobalVariableCheck(m_cursorCount) ? (int)GlobalVariableGet(m_cursorCount) : 0);
      m_newest=m_saved;
      m_isFirst=true;
      m_openedAt=GetTickCount();
      m_isWaiting=false;
      m_historySize=-1;
      m_tick=0;
      m_time=0;
      m_balance=0;
      m_equity=0;
     }

   //--- Whether to read the whole history: at first, and while it may not be loaded yet
   bool              NeedsAll(void)
     {
      if(m_isFirst)
         return(true);
      return(!IsNothing(m_missing) && (uint)(GetTickCount()-m_openedAt)<LOADING_MS);
     }

   //--- Whether a history of this size was read before, and nothing has happened since
   bool              HasRead(const int historySize)
     {
      return(historySize==m_historySize && AccountInfoDouble(ACCOUNT_BALANCE)==m_balance);
     }

   //--- Call first, then Meet() for every deal of the history, then Record()
   void              Begin(void)
     {
      ArrayResize(m_found,0);
      ArrayResize(m_foundAt,0);
      m_money=0;
     }

   //--- A deal of the history: its id, its time in seconds, what it added to the balance
   void              Meet(const long deal,const long time,const double money)
     {
      if(IsKnown(deal))
         return;
      int size=ArraySize(m_found);
      ArrayResize(m_found,size+1,4096);
      ArrayResize(m_foundAt,size+1,4096);
      m_found[size]=deal;
      m_foundAt[size]=time;
      m_money+=money;
     }

   //--- Puts the state of the account into the queue, with the deals since the row before
   void              Record(Rows &rows,const int historySize)
     {
      double balance=AccountInfoDouble(ACCOUNT_BALANCE);
      double equity=AccountInfoDouble(ACCOUNT_EQUITY);
      long   tick=(long)TimeCurrent();
      long   time=TimeOfMoment(tick);
      long   passed=(time>m_time ? time-m_time : m_time-time);
      bool   isSame=(balance==m_balance && equity==m_equity && passed<HEARTBEAT_SECONDS);
      if(isSame && ArraySize(m_found)==0)
         return;
      //--- The terminal has only just started, or the equity is of another moment than the balance
      if(time==0 || !MathIsValidNumber(equity) || balance!=AccountInfoDouble(ACCOUNT_BALANCE))
         return;
      if(MustWait(balance))
         return;
      string head=m_account+JsonTime(time)+",\"balance\":"+JsonNumber(balance)
                  +",\"equity\":"+JsonNumber(equity);
      if(!AddRows(rows,head))
         return;
      m_sum+=m_money;
      m_missing=balance-m_sum;
      m_isFirst=false;
      m_isWaiting=false;
      m_historySize=historySize;
      m_tick=tick;
      m_time=time;
      m_balance=balance;
      m_equity=equity;
     }

   //--- Call when nothing waits: the server has all deals, and the next start sends new ones only
   void              SaveCursor(void)
     {
      if(m_isFirst || (m_newest==m_saved && ArraySize(m_known)==m_savedCount))
         return;
      m_saved=m_newest;
      m_savedCount=ArraySize(m_known);
      GlobalVariableSet(m_cursor,(double)m_saved);
      GlobalVariableSet(m_cursorCount,m_savedCount);
      GlobalVariablesFlush();
     }
  };
//+------------------------------------------------------------------+
