//+------------------------------------------------------------------+
//| Plimsoll: the texts of requests. All of it is ASCII, so no code  |
//| page of a computer can spoil it.                                 |
//+------------------------------------------------------------------+
#ifndef LIST_OF                          // The tests compile these files as C++
#define LIST_OF(type,name) type name[]   // A list that grows
#endif

#define DEALS_START ",\"deals\":["
#define DEAL_SEPARATOR ",\t"             // JSON takes a tab for a blank; no text of ours holds one
#define MAX_TEXT 64                      // Characters of a comment; terminals keep about 31

string HexDigit(const int value)
  {
   return(StringSubstr("0123456789abcdef",value&15,1));
  }

//--- A text between quotes, as JSON writes it
string JsonText(const string text)
  {
   string json="\"";
   int length=StringLen(text);
   for(int i=0; i<length && i<MAX_TEXT; i++)
     {
      ushort c=StringGetCharacter(text,i);
      if(c=='"' || c=='\\')
         json+="\\"+ShortToString(c);
      else
         if(c<32 || (c>=127 && c<160))
            json+=" ";
         else
            if(c<127)
               json+=ShortToString(c);
            else
               json+="\\u"+HexDigit(c>>12)+HexDigit(c>>8)+HexDigit(c>>4)+HexDigit(c);
     }
   return(json+"\"");
  }

//--- Up to eight decimals, no zeros at the end. What is no number becomes null, which is refused
string JsonNumber(const double value)
  {
   if(!MathIsValidNumber(value))
      return("null");
   string text=DoubleToString(value,8);
   int    length=StringLen(text);
   while(StringGetCharacter(text,length-1)=='0')
      length--;
   if(StringGetCharacter(text,length-1)=='.')
      length--;
   return(StringSubstr(text,0,length));
  }

//--- YYYY-MM-DD HH:mm:ss between quotes, and milliseconds where they are not negative
string JsonTime(const long seconds,const int milliseconds=-1)
  {
   string text=TimeToString((datetime)seconds,TIME_DATE|TIME_SECONDS);
   StringReplace(text,".","-");
   if(milliseconds>=0)
      text+="."+IntegerToString(milliseconds,3,'0');
   return("\""+text+"\"");
  }

//--- The whole number that stands in a text from a place on, after blanks; -1 when there is none
long WholeNumberAt(const string text,const int from)
  {
   long number=-1;
   int  length=StringLen(text);
   int  at=from;
   while(at<length && StringGetCharacter(text,at)==' ')
      at++;
   for(int digits=0; at<length && digits<9; digits++)
     {
      ushort c=StringGetCharacter(text,at);
      if(c<'0' || c>'9')
         break;
      number=(number<0 ? 0 : number*10)+(c-'0');
      at++;
     }
   return(number);
  }

//--- Two hashes of a text, enough to tell the batches of one account apart
string HashOf(const string text)
  {
   uint first=5381,second=0;
   int  length=StringLen(text);
   for(int i=0; i<length; i++)
     {
      uint c=StringGetCharacter(text,i);
      first=first*33+c;
      second=c+(second<<6)+(second<<16)-second;
     }
   return(IntegerToString((long)first)+"-"+IntegerToString((long)second));
  }

//--- A row: its head, which is a JSON object without its end, and the deals of its moment
string RowOf(const string head,const string deals)
  {
   if(StringLen(deals)==0)
      return(head+"}");
   return(head+DEALS_START+deals+"]}");
  }

string HeadOf(const string row)
  {
   int at=StringFind(row,DEALS_START);
   return(StringSubstr(row,0,at<0 ? StringLen(row)-1 : at));
  }

string DealsOf(const string row)
  {
   int at=StringFind(row,DEALS_START);
   if(at<0)
      return("");
   at+=StringLen(DEALS_START);
   return(StringSubstr(row,at,StringLen(row)-at-2));
  }

//--- The last field of a head
double EquityOf(const string row)
  {
   string head=HeadOf(row);
   return(StringToDouble(StringSubstr(head,StringFind(head,"\"equity\":")+9)));
  }

string JoinedDeals(const string first,const string second)
  {
   if(StringLen(first)==0 || StringLen(second)==0)
      return(first+second);
   return(first+DEAL_SEPARATOR+second);
  }

int CountDeals(const string deals)
  {
   if(StringLen(deals)==0)
      return(0);
   int count=1;
   for(int at=StringFind(deals,DEAL_SEPARATOR); at>=0; at=StringFind(deals,DEAL_SEPARATOR,at+1))
      count++;
   return(count);
  }

//--- What the terminal knows of a symbol; it may have gone since
string SymbolFields(const string symbol)
  {
   string fields="";
   long   digits=0;
   double contract=0;
   if(SymbolInfoInteger(symbol,SYMBOL_DIGITS,digits))
      fields+=",\"digits\":"+IntegerToString(digits);
   if(SymbolInfoDouble(symbol,SYMBOL_TRADE_CONTRACT_SIZE,contract) && contract>0)
      fields+=",\"contractSize\":"+JsonNumber(contract);
   return(fields);
  }

//--- Takes one deal out of others and returns it; empty when there are not so many
string TakeDeal(string &deals,const int index)
  {
   int from=0;
   for(int i=0; i<index; i++)
     {
      int next=StringFind(deals,DEAL_SEPARATOR,from);
      if(next<0)
         return("");
      from=next+StringLen(DEAL_SEPARATOR);
     }
   int    end=StringFind(deals,DEAL_SEPARATOR,from);
   string before=from==0 ? "" : StringSubstr(deals,0,from-StringLen(DEAL_SEPARATOR));
   string after=end<0 ? "" : StringSubstr(deals,end+StringLen(DEAL_SEPARATOR));
   string taken=end<0 ? StringSubstr(deals,from) : StringSubstr(deals,from,end-from);
   deals=JoinedDeals(before,after);
   return(taken);
  }
//+------------------------------------------------------------------+
