//+------------------------------------------------------------------+
//| Feeds balance, equity and deals of a p5 terminal to Plimsoll.    |
//| Reads only: it never trades, and the investor password suffices. |
//+------------------------------------------------------------------+
#property strict
#property version "1.00"
#include "Plimsoll.mqh"

input string PlimsollUrl="https://plimsoll.example.com"; // Address of Plimsoll, without a path
input string AuthToken="";                               // Token with the scope "ingest"
input string AccountId="";                               // Id of the account in Plimsoll
input long   Login=0;                                    // Login that this account has; no other is sent
input int    EverySeconds=1;                               // Seconds between snapshots

#define MAX_DEALS 100        // Deals of one snapshot; more are sent as history first
#define MAX_WAITS 5          // Timers to wait for the deal that explains a new balance
#define OVERLAP_SECONDS 86400

PlimsollQueue queue;
bool          busy=false;
bool          knowsBalance=false;
double        lastBalance=0;
int           waits=0;
long          lastTime=0;    // Milliseconds and ticket of the newest deal in the queue
ulong         lastTicket=0;

int OnInit()
  {
   if(AuthToken=="" || AccountId=="" || Login==0)
     {
      Print("Plimsoll: AuthToken, AccountId and Login must be given");
      return(INIT_PARAMETERS_INCORRECT);
     }
   queue.Open(PlimsollUrl,AuthToken,IntegerToString(Login));
   ReadCursor();
   return(EventSetTimer(MathMax(1,EverySeconds)) ? INIT_SUCCEEDED : INIT_FAILED);
  }

void OnDeinit(const int reason)
  {
   EventKillTimer();
   queue.Save();
  }

void OnTimer()
  {
   if(busy)
      return;
   busy=true;
   if(AccountInfoInteger(ACCOUNT_LOGIN)==Login && TerminalInfoInteger(TERMINAL_CONNECTED)!=0)
      Record();
   queue.Flush();
   busy=false;
  }

//--- Puts one snapshot and the deals since the one before into the queue
void Record()
  {
   double balance=AccountInfoDouble(ACCOUNT_BALANCE);
   string deals="",lines="";
   double money=0;
   long   time=lastTime;
   ulong  ticket=lastTicket;
   int    found=ReadDeals(deals,lines,money,time,ticket);
   if(found<0)
      return;
   if(found>MAX_DEALS || (lastTicket==0 && found>0))
     {
      //--- History goes ahead of the snapshots, a batch a timer
      if(queue.Count()==0 && queue.SendDeals(AccountId,lines))
        {
         lastTime=time;
         lastTicket=ticket;
         queue.SaveCursor(CursorText());
         knowsBalance=false;
        }
      return;
     }
   //--- A balance whose deal is not in the history yet would look like a loss or a gain
   bool explained=!knowsBalance || MathAbs(balance-lastBalance-money)<0.005;
   if(balance!=AccountInfoDouble(ACCOUNT_BALANCE) || (!explained && waits<MAX_WAITS))
     {
      waits++;
      return;
     }
   waits=0;
   knowsBalance=true;
   lastBalance=balance;
   lastTime=time;
   lastTicket=ticket;
   string line="{\"accountId\":"+JsonText(AccountId)
               +",\"brokerTime\":"+JsonTime(TimeTradeServer())
               +",\"balance\":"+JsonNumber(balance)
               +",\"equity\":"+JsonNumber(AccountInfoDouble(ACCOUNT_EQUITY))
               +",\"margin\":"+JsonNumber(AccountInfoDouble(ACCOUNT_MARGIN))
               +",\"freeMargin\":"+JsonNumber(AccountInfoDouble(ACCOUNT_MARGIN_FREE))
               +",\"credit\":"+JsonNumber(AccountInfoDouble(ACCOUNT_CREDIT))
               +(found>0 ? ",\"deals\":["+deals+"]" : "")+"}";
   if(!queue.Add(line,CursorText()))
      ReadCursor();
  }

//--- Deals after the cursor: as array items and as lines. How many there are; -1 while unknown
int ReadDeals(string &deals,string &lines,double &money,long &time,ulong &ticket)
  {
   datetime from=(datetime)MathMax(0,lastTime/1000-OVERLAP_SECONDS);
   if(!HistorySelect(from,TimeTradeServer()+OVERLAP_SECONDS))
      return(-1);
   int total=HistoryDealsTotal();
   int found=0;
   for(int i=0; i<total; i++)
     {
      ulong deal=HistoryDealGetTicket(i);
      if(deal==0 || deal<=lastTicket)
         continue;
      found++;
      if(found>PLIMSOLL_MAX_BATCH)
         break;
      long type=HistoryDealGetInteger(deal,DEAL_TYPE);
      string record=DealRecord(deal);
      deals+=(found>1 ? "," : "")+record;
      lines+=record+"\n";
      if(type!=DEAL_TYPE_CREDIT)
         money+=HistoryDealGetDouble(deal,DEAL_PROFIT)+HistoryDealGetDouble(deal,DEAL_SWAP)
                +HistoryDealGetDouble(deal,DEAL_COMMISSION)+HistoryDealGetDouble(deal,DEAL_FEE);
      if(deal>ticket)
        {
         ticket=deal;
         time=HistoryDealGetInteger(deal,DEAL_TIME_MSC);
        }
     }
   return(found);
  }

string DealRecord(const ulong deal)
  {
   long   type=HistoryDealGetInteger(deal,DEAL_TYPE);
   long   msc=HistoryDealGetInteger(deal,DEAL_TIME_MSC);
   string word=EnumToString((ENUM_DEAL_TYPE)type);
   //--- The terminal calls some types DEAL_DIVIDEND, DEAL_TAX
   if(StringFind(word,"DEAL_TYPE_")!=0)
      word="DEAL_TYPE_"+StringSubstr(word,5);
   string record="{\"id\":\""+IntegerToString((long)deal)+"\",\"type\":\""+word
                 +"\",\"brokerTime\":"+JsonTime((datetime)(msc/1000),(int)(msc%1000))
                 +",\"profit\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_PROFIT))
                 +",\"swap\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_SWAP))
                 +",\"commission\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_COMMISSION))
                 +",\"fee\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_FEE))
                 +",\"comment\":"+JsonText(HistoryDealGetString(deal,DEAL_COMMENT));
   if(type==DEAL_TYPE_BUY || type==DEAL_TYPE_SELL)
     {
      string symbol=HistoryDealGetString(deal,DEAL_SYMBOL);
      record+=",\"positionId\":\""+IntegerToString(HistoryDealGetInteger(deal,DEAL_POSITION_ID))
              +"\",\"entry\":\""+EnumToString((ENUM_DEAL_ENTRY)HistoryDealGetInteger(deal,DEAL_ENTRY))
              +"\",\"symbol\":"+JsonText(symbol)
              +",\"volume\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_VOLUME))
              +",\"price\":"+JsonNumber(HistoryDealGetDouble(deal,DEAL_PRICE));
      long   digits=0;
      double contract=0;
      if(SymbolInfoInteger(symbol,SYMBOL_DIGITS,digits))
         record+=",\"digits\":"+IntegerToString(digits);
      if(SymbolInfoDouble(symbol,SYMBOL_TRADE_CONTRACT_SIZE,contract) && contract>0)
         record+=",\"contractSize\":"+JsonNumber(contract);
     }
   return(record+"}");
  }

string CursorText()
  {
   return(IntegerToString(lastTime)+":"+IntegerToString((long)lastTicket));
  }

//--- The newest deal that the server has confirmed
void ReadCursor()
  {
   string parts[];
   lastTime=0;
   lastTicket=0;
   if(StringSplit(queue.Cursor(),':',parts)==2)
     {
      lastTime=StringToInteger(parts[0]);
      lastTicket=(ulong)StringToInteger(parts[1]);
     }
   knowsBalance=false;
  }
//+------------------------------------------------------------------+
